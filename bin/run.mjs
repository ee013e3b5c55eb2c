// Runs every script of package.json: installs the locked packages when needed, then runs one program of this
// folder on the locked Node, whatever Node version started it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { NOT_PREPARED, install, isInstalled } from "./install.mjs";

const FOLDER = path.dirname(fileURLToPath(import.meta.url));
const LOCKED_NODE = path.join(FOLDER, "../node_modules/.bin/node");
/** In MB, for new objects. With 8, a busy server takes 65 MB less, but a tenth more of the processor for collecting them. */
const HEAP = ["--max-semi-space-size=32"];

const [program = "", ...args] = process.argv.slice(2);
if (args.includes("--attached") && !isInstalled()) {
  process.stderr.write(NOT_PREPARED);
  process.exit(1);
}
install();
const node = existsSync(LOCKED_NODE) ? LOCKED_NODE : process.execPath;
const child = spawn(node, [...HEAP, path.join(FOLDER, program), ...args], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.once("error", (error) => {
  process.stderr.write(`floatdeck: Cannot run ${node}: ${error.message}\n`);
  process.exit(1);
});
child.once("exit", (code) => process.exit(code ?? 1));
