import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

/** The colours of a theme as linear light, by name. */
function themeOf(selector: string): Map<string, [number, number, number]> {
  const from = css.indexOf(`${selector} {`);
  const block = css.slice(from, css.indexOf("}", from));
  const colours = [...block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)];
  return new Map(colours.map(([, name, l, c, h]) => [name ?? "", toLinear(Number(l), Number(c), Number(h))]));
}

/** OKLCH to linear sRGB, https://bottosson.github.io/posts/oklab/, cut to what a screen can show. */
function toLinear(l: number, c: number, hueDegrees: number): [number, number, number] {
  const a = c * Math.cos((hueDegrees * Math.PI) / 180);
  const b = c * Math.sin((hueDegrees * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const cut = (value: number) => Math.min(1, Math.max(0, value));
  return [
    cut(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    cut(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    cut(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

const luminance = ([r, g, b]: [number, number, number]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

for (const [name, selector] of [
  ["light", ":root"],
  ["dark", '[data-theme="dark"]'],
] as const) {
  test(`[R-WEB-7] in the ${name} theme every text colour has AA contrast on every ground it stands on`, () => {
    const theme = themeOf(selector);
    const contrast = (front: string, back: string) => {
      const [a, b] = [theme.get(front), theme.get(back)];
      if (a === undefined || b === undefined) throw new Error(`no colour ${front} or ${back}`);
      const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
      return (high + 0.05) / (low + 0.05);
    };
    const pairs = ["ink", "soft", "run", "need", "good", "bad"].flatMap((front) =>
      ["bg", "panel", "raise"].map((back) => [front, back] as const),
    );
    pairs.push(["on-fill", "fill"], ["on-fill", "fill-hover"], ["bg", "bad"]);
    for (const meaning of ["run", "need", "good", "bad"]) pairs.push([meaning, `${meaning}-tint`]);
    const poor = pairs.filter(([front, back]) => contrast(front, back) < 4.5).map((pair) => pair.join(" on "));
    expect(poor).toEqual([]);
  });
}
