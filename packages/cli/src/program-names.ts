import { basename } from "node:path";
import { embedded } from "./embedded.ts";

/** What one types to run `soda`: the single program is it under that name, or when told so. */
export const sodaCommand: string = embedded === null || basename(process.argv0) === "soda" ? "soda" : "ralpher soda";
