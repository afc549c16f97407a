import type { Loop } from "@ralpher/contract";
import Upload from "lucide-react/icons/upload";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { request } from "../../feed/api.ts";
import { reasonOf } from "../../feed/refusal.ts";
import { Button } from "../../parts/button.tsx";
import { announce, tell } from "../../parts/notices.tsx";

/** Take in a loop from a file: its JSON, or a bundle with its whole history. */
export function ImportLoop() {
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);

  const take = async (file: File) => {
    setBusy(true);
    setWrong(null);
    try {
      const type = file.name.endsWith(".gz") ? "application/gzip" : "application/json";
      const response = await request("/api/loops/import", {
        method: "POST",
        headers: { "content-type": type },
        body: file,
      });
      const { config } = (await response.json()) as Loop;
      announce(`“${config.name}” is here`, "");
      // Nobody should learn of it by starting the loop.
      const { command } = config.backend;
      if (command !== undefined) tell(`“${config.name}” brings a command`, `Started, it runs: ${command.join(" ")}`);
      navigate(`/${config.id}`);
    } catch (error) {
      setBusy(false);
      setWrong(`${file.name}: ${reasonOf(error)}`);
    }
  };
  return (
    <div className="relative flex flex-col items-start gap-2">
      <input
        ref={input}
        type="file"
        aria-label="The file of a loop"
        accept=".json,.gz,application/json,application/gzip"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file !== undefined) void take(file);
        }}
      />
      <Button busy={busy} onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        {busy ? "Importing…" : "Choose a file"}
      </Button>
      <p className="text-small text-soft">
        A <span className="figure">.json</span>, or a bundle <span className="figure">.ralpher.jsonl.gz</span>.
      </p>
      {wrong !== null && (
        <p role="alert" className="text-bad [overflow-wrap:anywhere]">
          {wrong}
        </p>
      )}
    </div>
  );
}
