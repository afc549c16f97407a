import { useEffect } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import { answerId, goToAnswer } from "./answer.ts";

/** `#answer` of the address: the place to answer has the focus. */
export function useAnswerInAddress(active: boolean): void {
  const hash = useLocationProperty(() => location.hash);
  useEffect(() => {
    if (active && hash === `#${answerId}`) goToAnswer();
  }, [active, hash]);
}
