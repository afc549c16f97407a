import { type ReactNode, useRef } from "react";

/**
 * The place of one tab. What was opened once stays as the reader left it, out of sight and out of reach, while another
 * tab is on the screen.
 */
export function Pane({ active, children }: { active: boolean; children: ReactNode }) {
  const opened = useRef(active);
  if (active) opened.current = true;
  if (!opened.current) return null;
  return (
    <div inert={!active} className={`absolute inset-0 ${active ? "" : "invisible"}`}>
      {children}
    </div>
  );
}
