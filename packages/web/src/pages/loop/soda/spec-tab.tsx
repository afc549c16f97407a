import type { LoopView } from "@ralpher/contract";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { Markdown } from "../markdown/markdown.tsx";

/** What is to be built, as it was last read, and where it is changed. */
export function SpecTab({ view }: { view: LoopView }) {
  const { config, soda } = view;
  const path = soda?.spec?.path ?? (config.strategy.type === "soda" ? config.strategy.spec : "");
  return (
    <section
      aria-label="Spec"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="absolute inset-0 overflow-y-auto px-4 py-5 -outline-offset-2 lg:px-6"
    >
      <div className="flex flex-col gap-5">
        <p className="flex flex-wrap items-center gap-x-1 text-soft">
          As it was last read from
          <span className="figure flex min-w-0 items-center text-ink">
            <span className="min-w-0 [overflow-wrap:anywhere]">{path}</span>
            <CopyButton text={path} what="the spec's path" className="ml-0.5" />
          </span>
          Change it there: the next iteration goes by it, and a loop that is stuck goes on.
        </p>
        <Markdown text={config.prompt} look={{ breaks: false, headingLevel: 2 }} />
      </div>
    </section>
  );
}
