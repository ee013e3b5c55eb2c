import path from "node:path";
import manifest from "#package.json" with { type: "json" };

/** The programs whose names are not what they run as. */
const PROCESSES: Readonly<Record<string, string>> = { start: "server" };

const program = path.parse(process.argv[1] ?? "").name;

/** What tells this process from others that write to the same log, and from those before an upgrade. */
export const THIS_PROCESS = {
  /** `server`, `pages`, `worker`, or the name of a command's program. */
  process: PROCESSES[program] ?? program,
  version: manifest.version,
  pid: process.pid,
} as const;
