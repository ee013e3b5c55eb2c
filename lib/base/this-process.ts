import path from "node:path";
import { readReleaseName } from "#lib/base/release-name.ts";

/** Programs whose process has a different name. */
const PROCESSES: Readonly<Record<string, string>> = { start: "server" };

const [, file = ""] = process.argv;
const program = path.parse(file).name;

/** Distinguishes this process from others that write to the same log, and from those before an upgrade. */
export const THIS_PROCESS = {
  /** `server`, `pages`, `worker`, or the name of a command's program. */
  process: PROCESSES[program] ?? program,
  /** The name of its release. Every program is in a folder of the checkout or the release. */
  version: readReleaseName(path.resolve(file, "../..")),
  pid: process.pid,
} as const;
