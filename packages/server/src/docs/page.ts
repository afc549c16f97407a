import { createHash } from "node:crypto";
import type { Content, Document, Operation } from "./document.ts";
import { escapeHtml } from "./escape-html.ts";
import { style } from "./style.ts";
import { typeText } from "./type-text.ts";

/** Nothing runs on this page, and its one style sheet is known by its hash. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

/** The document as a page to read: chapters, routes and types, without any script. */
export function renderDocs(document: Document): string {
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  const chapters = document.tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const types = Object.keys(document.components.schemas).sort();
  const { title, version, description } = document.info;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} API</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the routes</a>
<nav aria-label="Contents">
<p><b>${escapeHtml(title)} API</b> <small>${escapeHtml(version)}</small></p>
${chapters.map((chapter) => `<h2>${escapeHtml(chapter.name)}</h2>\n<ul>${chapter.entries.map(contentsLine).join("")}</ul>`).join("\n")}
<h2>Types</h2>
<ul>${types.map((name) => `<li><a href="#type-${name}">${name}</a></li>`).join("")}</ul>
</nav>
<main id="main" tabindex="-1">
<h1>${escapeHtml(title)} API</h1>
${description
  .split("\n\n")
  .map((text) => `<p>${prose(text)}</p>`)
  .join("\n")}
<p><a href="/api/openapi.json">OpenAPI ${escapeHtml(document.openapi)} document</a> · <a href="/">Dashboard</a></p>
${chapters
  .map(
    (chapter) =>
      `<section><h2>${escapeHtml(chapter.name)}</h2>\n<p>${prose(chapter.description)}</p>\n${chapter.entries.map(article).join("\n")}</section>`,
  )
  .join("\n")}
<section><h2>Types</h2>
${types
  .map(
    (name) =>
      `<article id="type-${name}"><h3><a href="#type-${name}">${name}</a></h3><pre tabindex="0">${typeText(document.components.schemas[name] ?? {})}</pre></article>`,
  )
  .join("\n")}
</section>
</main>
</body>
</html>
`;
}

function contentsLine({ method, path, operation }: Entry): string {
  return `<li><a href="#${operation.operationId}"><span class="m ${method}">${method.toUpperCase()}</span> ${short(path)}</a></li>`;
}

function article({ method, path, operation }: Entry): string {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = operation;
  const asked = parameters.filter((parameter) => parameter.in !== "path");
  const good = Object.entries(responses).filter(([status]) => status < "400");
  const refusals = Object.entries(responses).filter(([status]) => status >= "400");
  return `<article id="${id}">
<h3><a href="#${id}"><span class="m ${method}">${method.toUpperCase()}</span> ${escapeHtml(path)}</a></h3>
<p>${prose(summary)}.${description === undefined ? "" : ` ${prose(description)}`}</p>
${asked.length === 0 ? "" : `<dl>${asked.map(parameterLine).join("")}</dl>`}
${requestBody === undefined ? "" : bodies("Body", requestBody.content)}
${good.map(([status, answer]) => bodies(`${status}: ${answer.description}`, answer.content ?? {})).join("\n")}
<details><summary>Refusals: ${refusals.map(([status]) => status).join(" ")}</summary><dl>${refusals.map(([status, answer]) => `<dt>${status}</dt><dd>${prose(answer.description)}</dd>`).join("")}</dl></details>
</article>`;
}

function parameterLine({ name, in: place, schema, description }: NonNullable<Operation["parameters"]>[number]): string {
  const where = place === "query" ? "" : ` <small>${escapeHtml(place)}</small>`;
  const usual = schema.default === undefined ? "" : `, else ${escapeHtml(JSON.stringify(schema.default))}`;
  return `<dt><code>${escapeHtml(name)}</code>${where}</dt><dd>${typeText(schema)}${usual}${description === undefined ? "" : `: ${prose(description)}`}</dd>`;
}

function bodies(name: string, content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => {
      const kind = type === "application/json" ? "" : ` <small>${escapeHtml(type)}</small>`;
      return `<h4>${escapeHtml(name)}${kind}</h4><pre tabindex="0">${typeText(schema)}</pre>`;
    })
    .join("\n");
}

/** The path without what all have, with places to break. */
function short(path: string): string {
  return escapeHtml(path.replace("/api", "")).replace(/\//g, "<wbr>/");
}

/** Plain text with `code` in it. */
function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
