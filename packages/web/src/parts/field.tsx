import { type ReactNode, useId } from "react";

/** How every field to type in looks. */
export const inputLook =
  "block min-h-9 w-full min-w-0 rounded-md border border-edge bg-bg px-2.5 text-ink placeholder:text-soft touch:min-h-11 aria-invalid:border-bad focus-visible:outline-offset-0 disabled:bg-panel disabled:text-soft";

export interface FieldIds {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** A field with its name above, and under it what it is for or what is wrong with it. */
export function Field({
  label,
  hint,
  error,
  aside,
  className = "",
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: ReactNode;
  /** Small words at the end of the label's line. */
  aside?: ReactNode;
  className?: string;
  children: (ids: FieldIds) => ReactNode;
}) {
  const id = useId();
  const wrong = error !== undefined && error !== null && error !== "";
  const described = wrong || (hint !== undefined && hint !== null);
  return (
    <div className={`min-w-0 ${className}`}>
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside !== undefined && <span className="text-small text-soft">{aside}</span>}
      </div>
      {children({
        id,
        "aria-describedby": described ? `${id}-says` : undefined,
        "aria-invalid": wrong || undefined,
      })}
      <div id={`${id}-says`} className="mt-1 text-small empty:hidden [overflow-wrap:anywhere]">
        {wrong ? (
          <span className="text-bad">{error}</span>
        ) : described ? (
          <span className="text-soft">{hint}</span>
        ) : null}
      </div>
    </div>
  );
}
