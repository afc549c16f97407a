const tries = 10;

/** A new id for an item with this title, as Trace makes them. `isTaken` is asked for each try, ten times at most. */
export function newItemId(project: string, title: string, isTaken: (id: string) => boolean): string {
  for (let attempt = 0; attempt < tries; attempt++) {
    const nanoseconds = BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
    const random = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
    const number = new Bun.CryptoHasher("sha256").update(`${title}|${nanoseconds}|${random}`).digest().readUInt32BE(0);
    // Most numbers have seven digits in base 36; Trace takes the first six.
    const id = `${project}-${number.toString(36).slice(0, 6).padStart(6, "0")}`;
    if (!isTaken(id)) return id;
  }
  throw new Error(`no free id was found for project ${project} in ${tries} tries`);
}
