import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findUnhashed } from "./install.mjs";
import { ROOT } from "#db/root.ts";
import drizzleConfig from "#drizzle.config.ts";
import { command, read, run, say, step } from "./steps.ts";

process.exitCode = (await check()) ? 0 : 1;

/** Runs every check that does not need the running product; continues after a failure. */
async function check(): Promise<boolean> {
  const passed = [
    await step("Generated lists", () => run(process.execPath, ["bin/generate.ts", "--check"])),
    await step("Format", () => run(command("oxfmt"), ["--check"])),
    await step("Lint", () => run(command("oxlint"), ["--type-aware", "--deny-warnings"])),
    await step("Types", () => run(command("tsc"), ["--noEmit"])),
    await step("Unused code and packages", () => run(command("knip"), [])),
    await step("Hashes of all packages", refuseUnhashed),
    await step("Migrations match the schema", refuseDrift),
  ];
  return passed.every(Boolean);
}

function refuseUnhashed(): Promise<boolean> {
  const unhashed = findUnhashed(ROOT);
  for (const place of unhashed) {
    say(`package-lock.json has no sha512 integrity of ${place}.`);
  }
  return Promise.resolve(unhashed.length === 0);
}

/** Generating migrations again must change nothing. drizzle-kit exits with 0 even when it fails. */
async function refuseDrift(): Promise<boolean> {
  const copy = mkdtempSync(path.join(tmpdir(), "floatdeck-drift-"));
  try {
    cpSync(path.join(ROOT, "db/migrations"), copy, { recursive: true });
    const printed = await read(command("drizzle-kit"), [
      "generate",
      "--dialect=postgresql",
      `--schema=${String(drizzleConfig.schema)}`,
      `--out=${path.relative(ROOT, copy)}`,
    ]);
    const isUnchanged = printed.includes("No schema changes");
    if (!isUnchanged) {
      process.stdout.write(printed);
    }
    return isUnchanged;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
