import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

/**
 * A dialog over the page, the browser's own: it keeps the focus inside, gives it back at the end, and closes on Esc.
 * It is on the screen as long as it is rendered. What has `data-first-focus` gets the focus at the beginning.
 */
export function Dialog({
  title,
  children,
  onClose,
  className = "m-auto w-[min(28rem,calc(100vw-2rem))] rounded-lg p-5",
}: {
  title: string;
  children: ReactNode;
  onClose: () => void;
  className?: string;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the paint, and above all closed before it is taken out of the page: only so does the focus go back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // The browser gives the focus to the first that can have it; where that would be unwise, another asks for it.
    dialog?.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the dialog's own key; the click is on the backdrop
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
      className={`animate-appear bg-bg text-ink shadow-over backdrop:bg-black/45 ${className}`}
    >
      <h2 id={titleId} className="text-body font-semibold text-balance [overflow-wrap:anywhere]">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
