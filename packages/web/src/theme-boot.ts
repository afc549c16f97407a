import { applyTheme, readTheme } from "./theme.ts";

// Loaded before the first paint, so that a page in the dark never flashes white.
applyTheme(readTheme());
