import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** This near to the end, in pixels, counts as being there. */
const endThresholdPx = 48;

export interface Follow {
  following: boolean;
  follow: () => void;
  unfollow: () => void;
  /** Go to the very end if the reader follows at this moment; else nothing. Done before the next paint. */
  pin: () => void;
}

/**
 * Does the reader follow the newest line? Yes until they scroll up, and again once they are back at the end. Only
 * going up counts as leaving: growing text moves the end away by itself, and must not.
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  {
    atEnd,
    canFollow,
    onNearTop,
    onNearEnd,
  }: {
    /** Begin at the end. */
    atEnd: boolean;
    /** What ends here is the newest; else there is more to load, and nothing to follow. */
    canFollow: boolean;
    onNearTop: () => void;
    onNearEnd: () => void;
  },
): Follow {
  const [following, setFollowing] = useState(atEnd);
  /** The same as `following`, but at this very moment: a scroll just heard is in it before the next render. */
  const current = useRef(atEnd);
  const lastTop = useRef(0);
  const latest = useRef({ canFollow, onNearTop, onNearEnd });
  latest.current = { canFollow, onNearTop, onNearEnd };

  const set = useCallback((next: boolean) => {
    current.current = next;
    setFollowing(next);
  }, []);
  const waiting = useRef(false);
  const pin = useCallback(() => {
    if (waiting.current || !current.current) return;
    waiting.current = true;
    // Once for all the rows that grow together: each time it makes the browser lay out the page.
    queueMicrotask(() => {
      waiting.current = false;
      const element = scroller.current;
      if (element !== null && current.current) element.scrollTop = element.scrollHeight;
    });
  }, [scroller]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const distance = scrollHeight - scrollTop - clientHeight;
      if (scrollTop < lastTop.current - 1 && distance > endThresholdPx) set(false);
      else if (scrollTop > lastTop.current && distance <= endThresholdPx && latest.current.canFollow) set(true);
      lastTop.current = scrollTop;
      if (scrollTop < clientHeight * 1.5) latest.current.onNearTop();
      if (distance < clientHeight * 1.5) latest.current.onNearEnd();
    };
    // Captured, so that it is heard before the virtualizer's own listener: what that one sets off must know already
    // whether the reader has left the end.
    const options = { passive: true, capture: true };
    element.addEventListener("scroll", onScroll, options);
    return () => element.removeEventListener("scroll", onScroll, options);
  }, [scroller, set]);

  return {
    following,
    follow: useCallback(() => set(true), [set]),
    unfollow: useCallback(() => set(false), [set]),
    pin,
  };
}

/** Pin the end when rows come or go, when the reader comes back to it, and when the space for the rows changes. */
export function useEndInSight(
  scroller: RefObject<HTMLElement | null>,
  { following, pin }: Follow,
  count: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when rows come or go
  useLayoutEffect(pin, [pin, following, count]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(pin);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, pin]);
}
