import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { PLANTED } from "#test/torture/planted.ts";
import type { PlantedFault } from "#test/torture/planted.ts";
import { ROOT } from "#db/root.ts";
import { say } from "./steps.ts";

const { imports }: { imports: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(path.join(ROOT, "package.json"), "utf8"),
);
/** What a program of a copy imports or reads. */
const COPIED = [
  ...Object.values(imports).map(toTopLevel),
  "bin",
  "docs",
  "package.json",
  "package-lock.json",
];

/** @param place such as `./lib/*` or `./package.json`. */
function toTopLevel(place: string): string {
  return path.basename(place) === "*" ? path.dirname(place) : place;
}

/**
 * Plants each fault in a copy of the product, and tortures it or runs the tests that are to find it.
 * @returns whether all of them were found.
 */
export async function torturePlanted(options: Options): Promise<boolean> {
  let isEachFound = true;
  for (const fault of PLANTED) {
    const lines = await runCopy(fault, options);
    const mark = fault.foundBy === undefined ? /BROKEN/u : /^ *FAIL .* > /u;
    const found = [...new Set(lines.filter((line) => mark.test(line)))];
    const by = fault.foundBy ?? "torture";
    say(`${fault.name}: ${found.length > 0 ? "found" : "NOT FOUND"} by ${by}`);
    for (const line of found.length > 0 ? found : lines.slice(-12)) {
      say(`  ${line.replace(/^floatdeck: (?:BROKEN: )?| *FAIL +/u, "")}`);
    }
    isEachFound &&= found.length > 0;
  }
  return isEachFound;
}

/** How long torture takes, and what it does. */
interface Options {
  minutes: number;
  seed: number;
}

/** @returns what the checker or the tests print about a copy with the fault. */
async function runCopy(fault: PlantedFault, options: Options): Promise<string[]> {
  const copy = mkdtempSync(path.join(tmpdir(), "floatdeck-planted-"));
  try {
    for (const name of COPIED) {
      cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
    }
    symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
    plant(copy, fault);
    const child = spawn(process.execPath, toArguments(fault, options), {
      cwd: copy,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return [out, err].flatMap((each) => stripVTControlCharacters(each).trim().split("\n"));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function toArguments({ foundBy }: PlantedFault, { minutes, seed }: Options): string[] {
  return foundBy === undefined
    ? ["bin/torture.ts", "--api-only", `--minutes=${minutes}`, `--seed=${seed}`]
    : [
        "node_modules/vitest/vitest.mjs",
        "run",
        "--config=test/vitest.config.ts",
        "--bail=1",
        foundBy,
      ];
}

/** @throws Error when the code has changed, so that the fault must be planted elsewhere. */
function plant(copy: string, { name, edits }: PlantedFault): void {
  for (const { file, before, after } of edits) {
    const target = path.join(copy, file);
    const source = readFileSync(target, "utf8");
    if (source.split(before).length !== 2) {
      throw new Error(`${name} cannot be planted: ${file} does not hold its place once.`);
    }
    writeFileSync(
      target,
      source.replace(before, () => after),
    );
  }
}
