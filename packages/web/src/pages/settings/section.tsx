import { type ReactNode, useId } from "react";

/** A part of the settings under its heading. */
export function Section({ title, says, children }: { title: string; says?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-line pt-5 first-of-type:border-t-0 first-of-type:pt-0">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {says !== undefined && <p className="mt-0.5 text-soft">{says}</p>}
      <div className="mt-4 flex flex-col gap-5">{children}</div>
    </section>
  );
}
