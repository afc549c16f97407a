import type { JsonSchema } from "@ralpher/contract";

// What each keyword of JSON Schema draft 7 holds. `$defs` is of a later one, and known all the same.
const words = (list: string) => new Set(list.split(" "));
const ofSchema = words("additionalItems additionalProperties contains else if items not propertyNames then");
const ofSchemas = words("allOf anyOf items oneOf");
const ofNamedSchemas = words("$defs definitions patternProperties properties");
const ofValues = words(
  "$comment $id $ref const contentEncoding contentMediaType default description enum examples exclusiveMaximum " +
    "exclusiveMinimum format maxItems maxLength maxProperties maximum minItems minLength minProperties minimum " +
    "multipleOf pattern readOnly required title type uniqueItems writeOnly",
);

/**
 * The schema in words of draft 7, the only ones with which Claude Code starts. Tuples are put into those; what draft 7
 * cannot say is left out, for the answer is checked by whoever asked for it.
 */
export function toDraft7({ prefixItems, ...schema }: JsonSchema): JsonSchema {
  const plain: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (ofValues.has(keyword)) plain[keyword] = value;
    else if (ofNamedSchemas.has(keyword)) plain[keyword] = mapValues(value);
    else if (ofSchemas.has(keyword) && Array.isArray(value)) plain[keyword] = value.map(convert);
    else if (ofSchema.has(keyword)) plain[keyword] = convert(value);
  }
  if (!Array.isArray(prefixItems)) return plain;
  const { items: rest, ...others } = plain;
  return { ...others, items: prefixItems.map(convert), ...(rest === undefined ? {} : { additionalItems: rest }) };
}

/** A schema may also be `true` or `false`. */
const convert = (value: unknown): unknown => (isObject(value) ? toDraft7(value) : value);

const mapValues = (schemas: unknown): unknown =>
  isObject(schemas) ? Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, convert(one)])) : schemas;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
