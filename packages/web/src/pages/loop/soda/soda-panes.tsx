import type { LoopView } from "@ralpher/contract";
import { Pane } from "../pane.tsx";
import type { TabName } from "../tabs.ts";
import { ItemsTab } from "./items-tab.tsx";
import { SodaTab } from "./soda-tab.tsx";
import { SpecTab } from "./spec-tab.tsx";

/** The tabs that only SODA loops have. */
export function SodaPanes({ view, tab }: { view: LoopView; tab: TabName }) {
  return (
    <>
      <Pane active={tab === "soda"}>
        <SodaTab view={view} active={tab === "soda"} />
      </Pane>
      <Pane active={tab === "spec"}>
        <SpecTab view={view} />
      </Pane>
      <Pane active={tab === "work-items"}>
        <ItemsTab view={view} active={tab === "work-items"} />
      </Pane>
    </>
  );
}
