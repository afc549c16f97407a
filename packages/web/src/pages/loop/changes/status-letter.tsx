import type { FileDiff } from "@ralpher/contract";

const looks = { added: "text-good", modified: "text-need", deleted: "text-bad", renamed: "text-run" };

/** What happened to a file, as git's letter; the whole word on hover and for screen readers. */
export function StatusLetter({ status }: { status: FileDiff["status"] }) {
  return (
    <span
      role="img"
      aria-label={status}
      title={status}
      className={`figure w-3 shrink-0 text-center font-semibold ${looks[status]}`}
    >
      {status.charAt(0).toUpperCase()}
    </span>
  );
}
