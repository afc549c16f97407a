import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import { useSyncExternalStore } from "react";
import { IconButton } from "../parts/button.tsx";
import { chooseTheme, readTheme, type Theme, watchTheme } from "../theme.ts";

const order: Theme[] = ["system", "light", "dark"];
const words: Record<Theme, string> = { system: "as the system", light: "light", dark: "dark" };

/** Goes round: as the system, light, dark. */
export function ThemeSwitch() {
  const theme = useSyncExternalStore(watchTheme, readTheme);
  const next = order[(order.indexOf(theme) + 1) % order.length] ?? "system";
  return (
    <IconButton name={`Theme: ${words[theme]}. Change to ${words[next]}`} onClick={() => chooseTheme(next)}>
      {theme === "system" ? <Monitor /> : theme === "light" ? <Sun /> : <Moon />}
    </IconButton>
  );
}
