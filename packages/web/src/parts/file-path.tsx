import { cutPath } from "../words/cut.ts";
import { CopyButton } from "./copy-button.tsx";

/** Where something lies, cut in its middle where it is long, with a copy of all of it. */
export function FilePath({ path, what }: { path: string; what: string }) {
  return (
    <p className="figure flex items-center text-soft" title={path}>
      <span className="min-w-0 truncate">{cutPath(path, 72)}</span>
      <CopyButton text={path} what={what} className="ml-0.5" />
    </p>
  );
}
