import { mkdir } from "node:fs/promises";
import type { SodaProject } from "@ralpher/contract";
import { usable } from "./usable.ts";

/** The folder with what SODA knows of a project; for nobody else to read. @throws Fault `soda_home_unusable` */
export async function makeHome({ home }: SodaProject): Promise<void> {
  await usable(home, mkdir(home, { recursive: true, mode: 0o700 }));
}
