import path from "node:path";
import { readReleaseName } from "#lib/base/release-name.ts";

/** The programs whose names are not what they run as. */
const PROCESSES: Readonly<Record<string, string>> = { start: "server" };

const [, file = ""] = process.argv;
const program = path.parse(file).name;

/** What tells this process from others that write to the same log, and from those before an upgrade. */
export const THIS_PROCESS = {
  /** `server`, `pages`, `worker`, or the name of a command's program. */
  process: PROCESSES[program] ?? program,
  /** The name of its release. Every program is in a folder of the checkout or the release. */
  version: readReleaseName(path.resolve(file, "../..")),
  pid: process.pid,
} as const;
