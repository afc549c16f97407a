import { type FSWatcher, statfsSync, statSync, watch } from "node:fs";
import { stampOf } from "./stamp.ts";

/** What comes within this time is told together. */
const gatherMs = 100;
const lookMs = 1_000;
/** Looking at everything takes at most this share of the time. */
const share = 1 / 200;

export interface Watched {
  /** Absolute path. It may be missing, and come and go. */
  folder: string;
  /** With all folders below it. */
  isDeep: boolean;
}

export interface WatchOptions {
  /** Look every second instead of being told by the operating system. */
  isPolling?: boolean | undefined;
}

/**
 * Told by the operating system, which costs nothing while nothing happens; once a second it is looked whether the folders
 * themselves are still the same. Where it cannot tell (too many watches already, or a folder on another machine), the
 * folders and files are looked at every second, less often when there are so many that this takes long.
 */
export function watchFolders(all: Watched[], onChange: () => void, { isPolling }: WatchOptions = {}): Disposable {
  const gathered = gather(onChange);
  const places = all.map((watched) => watchOne(watched, gathered.tell, isPolling ?? isRemote(watched.folder)));
  return {
    [Symbol.dispose]() {
      for (const place of places) place[Symbol.dispose]();
      gathered[Symbol.dispose]();
    },
  };
}

function gather(onChange: () => void): Disposable & { tell(): void } {
  let timer: Timer | undefined;
  return {
    tell() {
      timer ??= setTimeout(() => {
        timer = undefined;
        onChange();
      }, gatherMs);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

function watchOne({ folder, isDeep }: Watched, tell: () => void, isPollingWanted: boolean): Disposable {
  let isPolling = isPollingWanted;
  let watcher: FSWatcher | null = null;
  let id = idOf(folder);
  let stamp: string | null = null;
  let timer: Timer;
  let isOver = false;

  const close = () => {
    watcher?.close();
    watcher = null;
  };
  const open = () => {
    if (isPolling || id === null) return;
    try {
      watcher = watch(folder, { recursive: isDeep }, tell);
      watcher.on("error", () => {
        // Gone, or out of watches: the next look finds out which.
        close();
        isPolling = idOf(folder) !== null;
      });
    } catch {
      // The system has no watches left.
      isPolling = true;
    }
  };
  const look = async () => {
    const before = performance.now();
    const found = idOf(folder);
    if (found !== id) {
      id = found;
      close();
      open();
      tell();
    }
    if (isPolling) {
      const seen = await stampOf(folder, isDeep);
      // The first time, too: something may have come before there was anything to compare with.
      if (seen !== stamp) tell();
      stamp = seen;
    }
    if (!isOver) again(Math.max(lookMs, (performance.now() - before) / share));
  };
  const again = (afterMs: number) => {
    timer = setTimeout(() => void look(), afterMs);
    timer.unref();
  };
  open();
  // When polling, what is there now is what changes are told from.
  again(isPolling ? 0 : lookMs);
  return {
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
      close();
    },
  };
}

/** Which folder it is; null when there is none. One that is made anew often gets the number of the old one. */
function idOf(folder: string): string | null {
  const found = statSync(folder, { throwIfNoEntry: false, bigint: true });
  return found?.isDirectory() ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : null;
}

/** File systems on which others write without our kernel hearing of it: NFS, SMB, 9p (WSL), FUSE, VirtualBox. */
const remote = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x786f4256, 0x5346414f]);

function isRemote(folder: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    return remote.has(statfsSync(folder).type >>> 0);
  } catch {
    return false;
  }
}
