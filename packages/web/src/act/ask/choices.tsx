import { Button } from "../../parts/button.tsx";

/** A few ways to go on, each with what it does; and the way back, which has the focus. */
export function Choices<T extends string>({
  choices,
  onChoose,
  onCancel,
}: {
  choices: { value: T; label: string; does: string }[];
  onChoose: (value: T) => void;
  onCancel: () => void;
}) {
  return (
    <>
      <div className="mt-4 flex flex-col gap-2">
        {choices.map(({ value, label, does }) => (
          <button
            key={value}
            type="button"
            className="rounded-md border border-edge px-3 py-1.5 text-left hover:bg-raise"
            onClick={() => onChoose(value)}
          >
            <span className="block font-medium">{label}</span>
            <span className="block text-soft">{does}</span>
          </button>
        ))}
      </div>
      <div className="mt-4 flex justify-end">
        <Button data-first-focus onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}
