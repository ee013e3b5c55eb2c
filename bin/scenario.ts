import { runScenarioCommand } from "./scenario-cli.ts";

process.exitCode = await runScenarioCommand(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
