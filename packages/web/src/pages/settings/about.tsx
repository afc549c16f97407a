import { client, read } from "../../feed/api.ts";
import { useAsked } from "../../feed/use-asked.ts";
import { unknown } from "../../words/count.ts";

/** Which version this is, and where its API is described. */
export function About() {
  const health = useAsked("", (_, options) => read(client.health.$get({}, options)));
  const link = "rounded-sm text-run underline-offset-2 hover:underline";
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
      <dt className="text-soft">Version</dt>
      <dd className="figure self-center">{health.state === "here" ? health.value.version : unknown}</dd>
      <dt className="text-soft">API</dt>
      <dd>
        <a href="/api/docs" target="_blank" rel="noreferrer" className={link}>
          Documentation
        </a>
        <span className="text-soft"> · </span>
        <a href="/api/openapi.json" target="_blank" rel="noreferrer" className={link}>
          OpenAPI 3.1
        </a>
      </dd>
    </dl>
  );
}
