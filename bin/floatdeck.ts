import { ROOT } from "#db/root.ts";
import { runCommand } from "./floatdeck-cli.ts";

process.chdir(ROOT);
const { code, out, err } = await runCommand(process.argv.slice(2), process.env);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
