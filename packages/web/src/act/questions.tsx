import { useStore } from "../feed/store.ts";
import { lazyPage } from "../parts/lazy-page.tsx";
import { question } from "./act.ts";

const dialogs = lazyPage(async () => (await import("./ask/asked.tsx")).Asked);

/** Fetch the dialogs' code before one is wanted. */
export const preloadQuestions = dialogs.preload;

/** The dialogs that stand between a press and what it does. */
export function Questions() {
  const asked = useStore(question, (value) => value);
  return asked === null ? null : <dialogs.Page key={`${asked.ask} ${asked.target.id}`} asked={asked} />;
}
