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
