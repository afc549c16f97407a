import type { Schema } from "./document.ts";
import { escapeHtml } from "./escape-html.ts";

/** A schema as a type in TypeScript's notation, as HTML with links to the named ones. */
export function typeText(schema: Schema, indent = ""): string {
  const { $ref, type, items, prefixItems } = schema;
  if ($ref !== undefined) return link($ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(" | ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return unionText(union, indent);
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeText(part, indent)).join(" &amp; ");
  if (Array.isArray(type)) return type.map((each) => typeText({ ...schema, type: each }, indent)).join(" | ");
  if (prefixItems !== undefined) return `[${prefixItems.map((item) => typeText(item, indent)).join(", ")}]`;
  if (type === "array") return `${grouped(typeText(items ?? {}, indent))}[]`;
  if (type === "object") return objectText(schema, indent);
  if (type === undefined) return "unknown";
  return `${type}${limits(schema)}`;
}

function objectText({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const told = schema.description === undefined ? "" : note(` // ${schema.description}`);
    const usual = schema.default === undefined ? "" : note(` = ${JSON.stringify(schema.default)}`);
    return `${inner}${escapeHtml(name)}${required.includes(name) ? "" : "?"}: ${typeText(schema, inner)}${usual};${told}`;
  });
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0) {
    lines.push(`${inner}[key]: ${typeText(additionalProperties, inner)};`);
  } else if (additionalProperties !== undefined && additionalProperties !== false) lines.push(`${inner}…`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`;
}

function unionText(options: Schema[], indent: string): string {
  const texts = options.map((option) => typeText(option, indent));
  return texts.join("").length < 80 ? texts.join(" | ") : texts.map((text) => `\n${indent}  | ${text}`).join("");
}

function limits({ format, minimum, exclusiveMinimum, maximum, minLength, maxLength }: Schema): string {
  const parts = [
    format,
    minimum === undefined ? undefined : `≥ ${minimum}`,
    exclusiveMinimum === undefined ? undefined : `> ${exclusiveMinimum}`,
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : `≤ ${maximum}`,
    minLength === 1 ? "not empty" : undefined,
    maxLength === undefined ? undefined : `≤ ${maxLength} characters`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : note(` (${parts.join(", ")})`);
}

function link(ref: string): string {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  return `<a href="#type-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

function literal(value: unknown): string {
  return escapeHtml(JSON.stringify(value));
}

function note(text: string): string {
  return `<i>${escapeHtml(text)}</i>`;
}

function grouped(text: string): string {
  return text.includes(" | ") || text.includes(" &amp; ") ? `(${text})` : text;
}
