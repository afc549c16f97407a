import { trc } from "./trc/run.ts";

process.exitCode = await trc(process.argv.slice(2));
