/** Notices when an agent asks something that the protocol does not pass on to us. Whoever starts it stops it. */
export interface UnheardWatch {
  /** The agent lets on that it asks. */
  asked(what: string): void;
  /** It asked us. */
  heard(): void;
  stop(): void;
}

// What an agent asks reaches us in some milliseconds, or never.
const patienceMs = 5000;

export function startUnheardWatch(onUnheard: (what: string) => void): UnheardWatch {
  // Either may come first.
  let open = 0;
  let timer: Timer | undefined;

  function settle(): void {
    if (open > 0) return;
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    asked(what) {
      open++;
      if (open > 0) timer ??= setTimeout(() => onUnheard(what), patienceMs);
    },
    heard() {
      open--;
      settle();
    },
    stop() {
      open = 0;
      settle();
    },
  };
}
