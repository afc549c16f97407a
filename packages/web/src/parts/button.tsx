import type { ComponentProps, ReactNode } from "react";

export type ButtonLook = "filled" | "outlined" | "quiet" | "danger";

const looks: Record<ButtonLook, string> = {
  filled: "bg-fill text-on-fill hover:bg-fill-hover",
  outlined: "border border-edge text-ink hover:bg-raise",
  quiet: "text-soft hover:bg-raise hover:text-ink",
  danger: "bg-bad text-bg hover:opacity-90",
};

const base =
  "inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none transition-colors duration-100 touch:h-11 disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0";

/** The look of a button for what is not one, such as a link. */
export function buttonLook(look: ButtonLook, size = "px-3"): string {
  return `${base} ${size} ${looks[look]}`;
}

type ButtonProps = ComponentProps<"button"> & { look?: ButtonLook; busy?: boolean };

/** A button with words. While `busy` it takes no press, and says so. */
export function Button({ look = "outlined", busy = false, className = "", ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      disabled={busy || rest.disabled}
      className={`${base} px-3 ${looks[look]} ${className}`}
      {...rest}
    />
  );
}

/** A button that is only a glyph; its name is read aloud and shown on hover. */
export function IconButton({
  name,
  look = "quiet",
  busy = false,
  className = "",
  children,
  ...rest
}: ButtonProps & { name: string; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      aria-busy={busy || undefined}
      disabled={busy || rest.disabled}
      className={`${base} w-8 touch:w-11 ${looks[look]} ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
