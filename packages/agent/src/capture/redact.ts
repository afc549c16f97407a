const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTH/i;
// Of these the name sounds secret and the value is not.
const openName = /_(SOCK|FILE|PATH|DIR|NAME|ID|URL|TYPE|METHOD)$/i;
// A shorter value would stand in many texts by chance.
const shortest = 8;

/** Takes the secrets out of a value: of texts, and of all texts in objects and arrays. */
export type Redact = <T>(value: T) => T;

/**
 * A redactor for the secrets of these environments: the values of variables whose names say that they are secret, and
 * passwords in URLs. In their place stands `[redacted NAME]`.
 */
export function createRedactor(...environments: Readonly<Record<string, string | undefined>>[]): Redact {
  const names = new Map<string, string>();
  for (const environment of environments) {
    for (const [name, value] of Object.entries(environment)) {
      const secret = value === undefined ? null : secretOf(name, value);
      if (secret !== null && secret.length >= shortest) names.set(secret, name);
    }
  }
  if (names.size === 0) return (value) => value;
  // The longest first, for one may be the beginning of another.
  const secrets = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(secrets.map((secret) => RegExp.escape(secret)).join("|"), "g");
  const redactText = (text: string) => text.replace(pattern, (secret) => `[redacted ${names.get(secret)}]`);
  return <T>(value: T) => redactValue(value, redactText) as T;
}

function secretOf(name: string, value: string): string | null {
  if (secretName.test(name) && !openName.test(name)) return value;
  if (!value.includes("://") || !URL.canParse(value)) return null;
  return decodeURIComponentOrNull(new URL(value).password);
}

function decodeURIComponentOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function redactValue(value: unknown, redactText: (text: string) => string): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redactText));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactText(key), redactValue(item, redactText)]),
  );
}
