import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, firstPage } from "./app.tsx";
import "./styles/app.css";

/**
 * So long, in milliseconds, the first drawing waits for what the address names: to draw the frame around it first, and
 * it a moment later, would take longer. On a slow line the frame comes first after all.
 */
const patienceMs = 150;

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
const patience = new Promise((resolve) => setTimeout(resolve, patienceMs));
void Promise.race([firstPage, patience]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

// What both the overview and a loop's page need at once. By being here it is in one file with the rest of what every
// page needs, not in a file for each way of sharing it.
export { default as ChevronRight } from "lucide-react/icons/chevron-right";
export { default as FileText } from "lucide-react/icons/file-text";
export { default as MessageSquare } from "lucide-react/icons/message-square";
export { ActionButton } from "./act/action-button.tsx";
export { useActionKeys } from "./act/use-action-keys.ts";
export { useNow } from "./feed/clock.ts";
export { answerId } from "./pages/loop/answer.ts";
export { useDraft } from "./pages/loop/use-draft.ts";
export { Ago } from "./parts/ago.tsx";
export { GrowingText } from "./parts/growing-text.tsx";
export { Problem } from "./parts/problem.tsx";
export { useTabFace } from "./shell/tab-face.ts";
export { formatElapsed } from "./words/duration.ts";
export { vaultHref } from "./words/vaults.ts";
