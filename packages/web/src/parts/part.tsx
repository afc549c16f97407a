import { type ReactNode, useId } from "react";

/** A part of a page under a heading of its own. */
export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="flex min-w-0 flex-col gap-2 [overflow-wrap:anywhere]">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id={titleId} className="font-semibold">
          {title}
        </h2>
        <span className="text-small text-soft">{aside}</span>
      </div>
      {children}
    </section>
  );
}
