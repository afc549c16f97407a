import { announce as add, type NoticeOffer } from "../parts/notices.tsx";
import { type Action, restore } from "../words/actions.ts";
import type { Target } from "./act.ts";

/** Say that something is done, where the page does not show it by itself; and offer what may come next. */
export function tellDone(
  target: Target,
  action: Action,
  answer: object,
  send: (target: Target, action: Action) => Promise<void>,
): void {
  const told = new Map<string, unknown>(Object.entries(answer));
  const text = (key: string) => {
    const value = told.get(key);
    return typeof value === "string" && value !== "" ? value : null;
  };
  const name = `“${target.name}”`;
  const announce = (title: string, words: string, offer?: NoticeOffer) => add(title, words, offer, target.id);
  switch (action.name) {
    case "accept": {
      const commit = text("mergeCommit");
      announce(`${name} is accepted`, commit === null ? "" : `Merged as ${commit.slice(0, 8)}.`);
      break;
    }
    case "discard":
      announce(`${name} is discarded`, "", { label: "Undo", run: () => void send(target, restore) });
      break;
    case "restore":
      announce(`${name} is back`, "Its branch is where it was.");
      break;
    case "update-branch":
      announce(`The branch of ${name} is up to date`, "");
      break;
    case "push": {
      const url = text("compareUrl");
      const where = `${text("branch") ?? "Its branch"} is at ${text("remote") ?? "the remote"}.`;
      announce(`${name} is pushed`, where, url === null ? undefined : { label: "Open a pull request", href: url });
      break;
    }
    case "pull-request": {
      const url = text("url");
      const title = {
        created: `${name} has a pull request`,
        exists: `${name} had a pull request already`,
        compare: `${name} is pushed; its host's page makes the pull request`,
      }[text("kind") ?? ""];
      announce(title ?? `${name} is pushed`, "", url === null ? undefined : { label: "Open it", href: url });
      break;
    }
    case "delete":
      announce(`${name} is deleted`, "");
      break;
    default:
  }
}
