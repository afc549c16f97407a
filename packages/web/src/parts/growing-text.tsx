import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { inputLook } from "./field.tsx";

type Rest = Omit<ComponentProps<"textarea">, "onChange" | "value">;

/** A field for several lines that grows with them. Ctrl+Enter (⌘Enter) sends. */
export function GrowingText({
  value,
  onChange,
  onSend,
  onEscape,
  className = "",
  ...rest
}: Rest & { value: string; onChange: (text: string) => void; onSend?: () => void; onEscape?: () => void }) {
  const ref = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew for every text
  useLayoutEffect(() => {
    const area = ref.current;
    if (area === null) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [value]);
  return (
    <textarea
      ref={ref}
      rows={1}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && onSend !== undefined) {
          event.preventDefault();
          onSend();
        }
        if (event.key === "Escape" && onEscape !== undefined) {
          event.preventDefault();
          onEscape();
        }
      }}
      className={`${inputLook} max-h-[50dvh] resize-none overflow-y-auto ${className}`}
      {...rest}
    />
  );
}
