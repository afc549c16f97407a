import RotateCw from "lucide-react/icons/rotate-cw";
import type { ReactNode } from "react";
import type { Refusal } from "../feed/refusal.ts";
import { Button } from "./button.tsx";
import { CommandLine } from "./command-line.tsx";
import { CopyButton } from "./copy-button.tsx";

/** What failed, why, what to do, with the details to copy. Fills the place of what could not be shown. */
export function Problem({
  title,
  refusal,
  onRetry,
  children,
}: {
  title: string;
  refusal: Refusal;
  onRetry?: () => void;
  children?: ReactNode;
}) {
  const details = JSON.stringify({
    error: refusal.code,
    status: refusal.status,
    message: refusal.message,
    ...refusal.data,
  });
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-start gap-3 px-4 py-16">
      <h1 className="text-title font-semibold">{title}</h1>
      <p className="text-soft [overflow-wrap:anywhere]">{refusal.message}</p>
      {refusal.code === "unreachable" && <CommandLine command="ralpher serve" />}
      <div className="flex items-center gap-2">
        {onRetry !== undefined && (
          <Button look="filled" onClick={onRetry}>
            <RotateCw aria-hidden="true" />
            Try again
          </Button>
        )}
        {children}
        <span className="inline-flex items-center text-small text-soft">
          <CopyButton text={details} what="the details" />
          Details
        </span>
      </div>
    </div>
  );
}
