import { useTabFace } from "../../shell/tab-face.ts";
import { About } from "./about.tsx";
import { Appearance } from "./appearance.tsx";
import { Defaults } from "./defaults.tsx";
import { ImportLoop } from "./import-loop.tsx";
import { Notifications } from "./notifications.tsx";
import { Section } from "./section.tsx";

/** What holds for all loops, and what holds for this browser. */
export function SettingsPage() {
  useTabFace("Settings · Ralpher", "quiet");
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-2xl flex-col gap-8 px-4 pt-6 pb-16">
        <h1 className="text-title font-semibold">Settings</h1>
        <Section title="New loops" says="What a loop gets when nobody says otherwise, here and in the terminal.">
          <Defaults />
        </Section>
        <Section title="Notifications" says="From this browser, while a tab of the dashboard is open.">
          <Notifications />
        </Section>
        <Section title="Appearance" says="In this browser.">
          <Appearance />
        </Section>
        <Section title="Import a loop" says="One that was exported here or elsewhere. It comes in at rest.">
          <ImportLoop />
        </Section>
        <Section title="About">
          <About />
        </Section>
      </div>
    </div>
  );
}
