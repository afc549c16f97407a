import { useState } from "react";
import { say, type Target } from "../../act/act.ts";
import { Button } from "../../parts/button.tsx";
import { GrowingText } from "../../parts/growing-text.tsx";

/** A few words to a loop, in place; it goes on with them. */
export function ReplyBox({ target, onDone }: { target: Target; onDone: () => void }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (text.trim() === "" || busy) return;
    setBusy(true);
    const said = await say(target, text);
    setBusy(false);
    if (said) onDone();
  };
  return (
    <form
      className="reply relative z-10 flex items-end gap-2 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <GrowingText
        autoFocus
        aria-label={`Say something to ${target.name}`}
        placeholder="What it should know or do; it goes on with this"
        value={text}
        onChange={setText}
        onSend={() => void send()}
        onEscape={onDone}
        className="min-h-9 flex-1 py-1.5"
      />
      <Button onClick={onDone} className="max-sm:hidden">
        Cancel
      </Button>
      <Button type="submit" look="filled" busy={busy} disabled={text.trim() === ""}>
        Send
      </Button>
    </form>
  );
}
