import { type ReactNode, useEffect, useId, useRef } from "react";

/**
 * A dialog over the page, the browser's own: it keeps the focus inside, gives it back at the end, and closes on Esc.
 * It is on the screen as long as it is rendered.
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
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
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
