import type { VaultCommand } from "@ralpher/contract";
import { client, read } from "../../feed/api.ts";
import { tellFailed } from "../../parts/notices.tsx";

const failed: Record<VaultCommand["type"], string> = {
  stop: "The vault was not told to stop",
  lift: "The stop hook was not taken away",
  inject: "That was not put down",
};

/** Tell a vault something. Resolves with whether it was told; a refusal becomes a notice. */
export async function tellVault(directory: string, command: VaultCommand): Promise<boolean> {
  try {
    await read(client.vaults.tell.$post({ json: { directory, command } }));
    return true;
  } catch (error) {
    tellFailed(failed[command.type], error);
    return false;
  }
}
