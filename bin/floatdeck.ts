import path from "node:path";
import { runCommand } from "./floatdeck-cli.ts";

process.chdir(path.join(import.meta.dirname, ".."));
const { code, out, err } = await runCommand(process.argv.slice(2), process.env);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
