import { useState } from "react";
import { useStore } from "../../feed/store.ts";
import { choosePrefs, type NotifyPrefs, notifyPrefs } from "../../notify/prefs.ts";
import { Check } from "../../parts/check.tsx";

const kinds: { kind: keyof NotifyPrefs; label: string; hint: string }[] = [
  { kind: "needsYou", label: "When a loop needs me", hint: "It is stuck, failed, or has finished work to review." },
  { kind: "ended", label: "When a loop ends", hint: "It is done, at its limit, or failed." },
];

/** What this browser tells of. The browser's own permission is asked for only by a press here. */
export function Notifications() {
  const prefs = useStore(notifyPrefs, (value) => value);
  const [permission, setPermission] = useState(() => ("Notification" in window ? Notification.permission : null));
  const choose = async (kind: keyof NotifyPrefs, on: boolean) => {
    if (on && permission === "default") {
      const answer = await Notification.requestPermission();
      setPermission(answer);
      if (answer !== "granted") return;
    }
    choosePrefs({ ...notifyPrefs.get(), [kind]: on });
  };
  const why =
    permission === null
      ? "This browser has no notifications for pages like this one. They need https, or this machine's own address."
      : permission === "denied"
        ? "This browser was told not to show notifications of this page. Change that in its settings for this address."
        : null;
  return (
    <>
      {why !== null && <p className="text-need">{why}</p>}
      {kinds.map(({ kind, label, hint }) => (
        <Check
          key={kind}
          checked={prefs[kind] && permission === "granted"}
          disabled={why !== null}
          onChange={(on) => void choose(kind, on)}
          label={label}
          hint={hint}
        />
      ))}
    </>
  );
}
