import { type FormEvent, useState } from "react";
import iconUrl from "../../assets/icon-quiet.svg";
import { client, read } from "../../feed/api.ts";
import { Refusal, reasonOf } from "../../feed/refusal.ts";
import { Button } from "../../parts/button.tsx";
import { Field, inputLook } from "../../parts/field.tsx";
import { useTabFace } from "../../shell/tab-face.ts";

/** Asks for the server's token; then it goes on where one was. */
export function TokenPage({ onEntered }: { onEntered: () => void }) {
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>();
  useTabFace("Ralpher", "quiet");

  const enter = async (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() === "" || busy) return;
    setBusy(true);
    try {
      await read(client.session.$post({ json: { token: token.trim() } }));
      onEntered();
    } catch (refused) {
      const wrong = refused instanceof Refusal && refused.status === 401;
      setError(wrong ? "This is not the server's token." : reasonOf(refused));
      setBusy(false);
    }
  };

  return (
    <main className="flex min-h-dvh items-start justify-center px-4 pt-[18dvh] pb-10">
      <form onSubmit={enter} className="flex w-full max-w-sm flex-col gap-5">
        <div>
          <p className="flex items-center gap-2 font-semibold">
            <img src={iconUrl} alt="" className="size-5" />
            Ralpher
          </p>
          <h1 className="mt-4 text-title font-semibold">This server asks for its token</h1>
          <p className="mt-1 text-soft">
            It is what <span className="figure">RALPHER_TOKEN</span> says, or what{" "}
            <span className="figure">ralpher serve</span> printed when it started.
          </p>
        </div>
        <Field label="Token" error={error} hint="Kept in a cookie of this browser that scripts cannot read.">
          {(ids) => (
            <input
              {...ids}
              type="password"
              // biome-ignore lint/a11y/noAutofocus: the page's one field
              autoFocus
              autoComplete="current-password"
              value={token}
              onChange={(event) => {
                setToken(event.target.value);
                setError(undefined);
              }}
              className={`${inputLook} figure`}
            />
          )}
        </Field>
        <Button type="submit" look="filled" busy={busy} disabled={token.trim() === ""} className="self-start">
          Go on
        </Button>
      </form>
    </main>
  );
}
