import { StopDialog } from "../../pages/vault/stop-dialog.tsx";
import { closeQuestion, type QuestionOf } from "../act.ts";
import { stopVault } from "./answered.ts";

/** A task is stopped by telling its vault. */
export function StopVault({ asked: { target } }: { asked: QuestionOf<"stop-vault"> }) {
  return (
    <StopDialog
      title={`Stop “${target.name}”?`}
      about="It stops when its iteration ends, and so does every other task of its vault. “Resume” carries on."
      onStop={(reason) => void stopVault(target, reason)}
      onClose={closeQuestion}
    />
  );
}
