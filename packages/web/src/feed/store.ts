import { useRef, useSyncExternalStore } from "react";

/** A value that is replaced, never changed, and tells who watches. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

/** Make a store in memory. Setting the value it has already tells nobody. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Read part of a store; the component renders again only when that part is another value. `select` should return
 * something the state holds; a fresh object is fine only when `same` says when it counts as the old one.
 */
export function useStore<T, S>(store: Store<T>, select: (value: T) => S, same: (a: S, b: S) => boolean = Object.is): S {
  const last = useRef<{ value: S } | null>(null);
  return useSyncExternalStore(store.subscribe, () => {
    const next = select(store.get());
    if (last.current !== null && same(last.current.value, next)) return last.current.value;
    last.current = { value: next };
    return next;
  });
}
