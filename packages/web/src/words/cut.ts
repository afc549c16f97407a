/** Cut out the middle, so that both ends stay: the beginning says whose it is, the end says which. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`;
}

/** Cut a path in its middle, between folders where that is possible; the last name is kept whole while it fits. */
export function cutPath(path: string, most: number): string {
  if (path.length <= most) return path;
  const parts = path.split("/");
  const last = parts.pop() ?? "";
  if (last.length + 2 > most) return cutMiddle(last, most);
  let head = "";
  for (const part of parts) {
    const longer = `${head}${part}/`;
    if (longer.length + 2 + last.length > most) break;
    head = longer;
  }
  let tail = last;
  for (const part of parts.reverse()) {
    const longer = `${part}/${tail}`;
    if (head.length + 2 + longer.length > most) break;
    tail = longer;
  }
  return `${head}…/${tail}`;
}

/** A path as seen from `root` when it lies inside; else as it is. */
export function pathFrom(root: string | null, path: string): string {
  if (root === null) return path;
  if (path === root) return ".";
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

/** The first line with anything on it, without the space around it. */
export function firstLine(text: string): string {
  return (
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? ""
  );
}

/** The last line with anything on it, without the space around it. */
export function lastLine(text: string): string {
  let end = text.length;
  while (end > 0) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line !== "") return line;
    end = start - 1;
  }
  return "";
}

/** Begin like a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Begin and end a reason like a sentence. */
export function ended(text: string): string {
  const whole = capital(text.trim());
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** Of a whole path the folder and the name at its end; anything else as it is. */
export function lastOfPath(text: string): string {
  return text.startsWith("/") && !text.includes(" ") ? text.split("/").slice(-2).join("/") : text;
}

/** What an agent said, in a line for people: without the promise it ends with and without the marks around code. */
export function plainWords(text: string): string {
  return text
    .replace(/<promise>.*?<\/promise>/gs, "")
    .replaceAll("`", "")
    .trim();
}
