import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Colour for a terminal; plain text for a pipe, a file, or NO_COLOR. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout, validateStream: true });
}

export const dim = (text: string) => styled("dim", text);
export const bold = (text: string) => styled("bold", text);
export const good = (text: string) => styled("green", text);
export const bad = (text: string) => styled("red", text);
export const attention = (text: string) => styled("yellow", text);
export const accent = (text: string) => styled("cyan", text);
