import type { AgentEvent, TurnFailure } from "@ralpher/contract";

type Environment = Readonly<Record<string, string | undefined>>;

const secretName =
  /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|CONNECTION_STRING)$|(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASS|PAT|AUTH)$|_PWD$|(^|_)(SECRET|TOKEN|PASSWORD)_/i;
// Of these the name sounds secret and the value is a place.
const placeName = /_(SOCK|FILE|PATH|DIR|URL)$/i;
// A shorter value would stand in many texts by chance.
const shortest = 8;

/** Takes the secrets of environments out of what people and programs wrote. In their place stands `[redacted NAME]`. */
export interface Redactor {
  text(text: string): string;
  /** All texts in a value, such as a tool's input. */
  value(value: unknown): unknown;
  failure(failure: TurnFailure): TurnFailure;
  /** All but deltas, of which one alone may hold half a secret. */
  event(event: AgentEvent): AgentEvent;
  /** Where a secret may begin at the end of a text whose rest is not known yet; the text's length when none does. */
  openEnd(text: string): number;
}

/** The secrets: values of variables whose names say so, and passwords in URLs; as they are, and as JSON and URLs have them. */
export function createRedactor(...environments: Environment[]): Redactor {
  const names = new Map<string, string>();
  for (const environment of environments) {
    for (const [name, value = ""] of Object.entries(environment)) {
      for (const secret of secretsOf(name, value)) {
        for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
          if (form.length >= shortest) names.set(form, name);
        }
      }
    }
  }
  // The longest first, for one may be the beginning of another.
  const secrets = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(secrets.map((secret) => RegExp.escape(secret)).join("|"), "g");
  const text = (plain: string) =>
    secrets.length === 0 ? plain : plain.replace(pattern, (secret) => `[redacted ${names.get(secret)}]`);

  function value(plain: unknown): unknown {
    if (typeof plain === "string") return text(plain);
    if (Array.isArray(plain)) return plain.map(value);
    if (typeof plain !== "object" || plain === null) return plain;
    return Object.fromEntries(Object.entries(plain).map(([key, item]) => [text(key), value(item)]));
  }

  function failure(plain: TurnFailure): TurnFailure {
    const { message, attempts } = plain;
    const all = attempts?.map((attempt) => ({ ...attempt, message: text(attempt.message) }));
    return { ...plain, message: text(message), ...(all === undefined ? {} : { attempts: all }) };
  }

  function event(plain: AgentEvent): AgentEvent {
    switch (plain.type) {
      case "message.complete":
      case "notice":
        return { ...plain, text: text(plain.text) };
      case "tool.start":
        return { ...plain, input: value(plain.input) };
      case "tool.complete": {
        const { tool } = plain;
        return { ...plain, tool: { ...tool, input: value(tool.input), output: text(tool.output) } };
      }
      case "session.start":
      case "message.delta":
      case "usage":
        return plain;
    }
  }

  return {
    text,
    value,
    failure,
    event,
    openEnd(plain) {
      const [longest = ""] = secrets;
      for (let at = Math.max(0, plain.length - longest.length + 1); at < plain.length; at++) {
        const rest = plain.slice(at);
        if (secrets.some((secret) => secret.startsWith(rest))) return at;
      }
      return plain.length;
    },
  };
}

function secretsOf(name: string, value: string): string[] {
  if (secretName.test(name) && !placeName.test(name)) return [value];
  if (!value.includes("://") || !URL.canParse(value)) return [];
  const { username, password } = new URL(value);
  // A token may stand where the user's name does.
  const secret = password === "" ? username : password;
  return secret === "" ? [] : [secret, decoded(secret)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
