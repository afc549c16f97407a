import { type ReactNode, useEffect, useState } from "react";

const delayMs = 150;

/** Shows its children only after a moment: what is there at once needs no skeleton before it. */
export function Delayed({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  return due ? children : null;
}

/** A grey line where text will be. `className` gives its width. */
export function Bone({ className = "w-40" }: { className?: string }) {
  return <span aria-hidden="true" className={`block h-3 animate-breathe rounded-sm bg-raise ${className}`} />;
}
