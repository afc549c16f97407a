import { useSyncExternalStore } from "react";
import { chooseTheme, readTheme, type Theme, watchTheme } from "../../theme.ts";

const themes: { theme: Theme; label: string }[] = [
  { theme: "system", label: "As the system" },
  { theme: "light", label: "Light" },
  { theme: "dark", label: "Dark" },
];

/** Light or dark. */
export function Appearance() {
  const chosen = useSyncExternalStore(watchTheme, readTheme);
  return (
    <fieldset>
      <legend className="sr-only">Theme</legend>
      <div className="flex flex-wrap gap-1.5">
        {themes.map(({ theme, label }) => (
          <label
            key={theme}
            className="flex cursor-pointer items-center gap-2 rounded-md border border-line px-3 py-1.5 hover:bg-panel has-checked:border-run has-checked:bg-run-tint has-focus-visible:outline-2 has-focus-visible:outline-run touch:py-2.5"
          >
            <input
              type="radio"
              name="theme"
              checked={theme === chosen}
              onChange={() => chooseTheme(theme)}
              className="size-3.5 accent-run outline-none"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
