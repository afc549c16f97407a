/** A TCP proxy whose connections can be cut, for tests of broken event streams. */
import type { Socket } from "bun";

type Link = Socket<{ peer: Link | null; waiting: Buffer[] }>;

export interface Proxy extends Disposable {
  port: number;
  /** Break every connection, and until `mend` every new one. */
  cut(): void;
  mend(): void;
}

/** Must be closed. */
export function openProxy(targetPort: number): Proxy {
  const links = new Set<Link>();
  let broken = false;
  const handlers = {
    data({ data: { peer, waiting } }: Link, bytes: Buffer) {
      if (peer === null) waiting.push(Buffer.from(bytes));
      else peer.write(bytes);
    },
    close(link: Link) {
      links.delete(link);
      link.data.peer?.end();
    },
  };
  const server = Bun.listen<Link["data"]>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      ...handlers,
      async open(client) {
        client.data = { peer: null, waiting: [] };
        links.add(client);
        if (broken) return client.terminate();
        const target: Link = await Bun.connect<Link["data"]>({
          hostname: "127.0.0.1",
          port: targetPort,
          data: { peer: client, waiting: [] },
          socket: handlers,
        });
        links.add(target);
        client.data.peer = target;
        for (const bytes of client.data.waiting) target.write(bytes);
      },
    },
  });
  const cut = () => {
    broken = true;
    for (const link of links) link.terminate();
  };
  return {
    port: server.port,
    cut,
    mend() {
      broken = false;
    },
    [Symbol.dispose]() {
      cut();
      server.stop(true);
    },
  };
}
