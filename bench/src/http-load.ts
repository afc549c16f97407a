/** What it took to get the same thing many times. */
export interface Load {
  /** The time that 95 of 100 answers did not exceed, ms. */
  p95Ms: number;
  /** Of the body, as it came over the wire. */
  bytes: number;
}

/** Get a path again and again over so many connections at once. */
export async function load(url: string, requests: number, connections: number, encoding: string): Promise<Load> {
  const times: number[] = [];
  let bytes = 0;
  const one = async () => {
    const began = performance.now();
    const response = await fetch(url, { headers: { "accept-encoding": encoding }, decompress: false });
    bytes = (await response.arrayBuffer()).byteLength;
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return performance.now() - began;
  };
  for (let n = 0; n < connections * 5; n++) await one();
  const lane = async () => {
    while (times.length < requests) times.push(await one());
  };
  await Promise.all(Array.from({ length: connections }, lane));
  times.sort((a, b) => a - b);
  return { p95Ms: times[Math.floor(times.length * 0.95)] ?? Number.NaN, bytes };
}
