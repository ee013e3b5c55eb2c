import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "#db/root.ts";
import { parseScript } from "./script-arguments.ts";

const SOURCES = readdirSync(path.join(ROOT, "bin"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, "bin", file), "utf8") }));
const SCRIPTS = SOURCES.filter(({ text }) => text.includes("= readArguments({"));

test.each(SCRIPTS)("$file prints its help", async ({ file, text }) => {
  const args = [path.join("bin", file), "--help"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(stdout).toMatch(/^Usage: npm (?:run \S+|test) -- /u);
  for (const [, name = ""] of text.matchAll(/^ {4}"?(?<name>[\w-]+)"?: \{/gmu)) {
    expect(stdout).toContain(`  --${name} `);
  }
});

test("whatever takes options declares them with their help", () => {
  const parsing = SOURCES.filter(({ text }) => text.includes("parseArgs")).map(({ file }) => file);
  expect(parsing.toSorted()).toEqual([
    "floatdeck-cli.ts",
    "scenario-cli.ts",
    "script-arguments.ts",
  ]);
});

test("values have their defaults, and other arguments are kept where they are allowed", () => {
  const script = {
    usage: "npm run example -- [name]",
    summary: "Show an example",
    allowPositionals: true,
    options: {
      long: { type: "boolean", default: false, about: "for longer" },
      only: { type: "string", default: "all", about: "which" },
    },
  } as const;
  expect(parseScript(script, ["here", "--long"])).toMatchObject({
    values: { long: true, only: "all" },
    positionals: ["here"],
  });
  expect(parseScript(script, ["--nothing"])).toEqual({
    code: 2,
    text: expect.stringMatching(/^floatdeck: Unknown option '--nothing'.*; see --help\.\n$/u),
  });
});
