import { join, posix } from "node:path";
import type { TaskConfig } from "@ralpher/contract";
import { configFile } from "../config/config-keys.ts";
import { fromRoot, isWithin } from "../vault-path.ts";
import type { Watched } from "./watch-vault.ts";

/** The few folders in which what happens matters; of these only the tasks' with all that is below. */
export function watchedFolders(root: string, config: TaskConfig): Watched[] {
  const specs = fromRoot(config.specs_folder);
  const files = [configFile, config.stop_hook_file, config.reinject_prompt_file].map(fromRoot);
  const shallow = [
    ...files.map((path) => posix.dirname(path)),
    ...[config.done_folder, config.rejected_folder, config.needs_action_folder].map(fromRoot),
  ];
  const folders = [...new Set(shallow)].filter((folder) => !isWithin(specs, folder));
  return [
    { folder: join(root, specs), isDeep: true },
    ...folders.map((folder) => ({ folder: join(root, folder), isDeep: false })),
  ];
}
