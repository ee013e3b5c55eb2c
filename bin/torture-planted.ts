import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { PLANTED } from "#test/torture/planted.ts";
import type { PlantedFault } from "#test/torture/planted.ts";
import { ROOT } from "#db/root.ts";
import { say } from "./steps.ts";

const { imports }: { imports: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(path.join(ROOT, "package.json"), "utf8"),
);
/** What a program of a copy imports or reads. */
const COPIED = [
  ...Object.values(imports).map((folder) => path.dirname(folder)),
  "bin",
  "docs",
  "package.json",
  "package-lock.json",
];

/** Tortures a copy of the product with each planted fault. @returns whether the checker found all of them. */
export async function torturePlanted(options: { minutes: number; seed: number }): Promise<boolean> {
  let isEachFound = true;
  for (const fault of PLANTED) {
    const lines = await tortureCopy(fault, options);
    const found = lines.filter((line) => line.includes("BROKEN"));
    say(`${fault.name}: ${found.length > 0 ? "found" : "NOT FOUND"}`);
    for (const line of found.length > 0 ? found : lines.slice(-12)) {
      say(`  ${line.replace(/^floatdeck: (?:BROKEN: )?/u, "")}`);
    }
    isEachFound &&= found.length > 0;
  }
  return isEachFound;
}

async function tortureCopy(
  fault: PlantedFault,
  { minutes, seed }: { minutes: number; seed: number },
): Promise<string[]> {
  const copy = mkdtempSync(path.join(tmpdir(), "floatdeck-planted-"));
  try {
    for (const name of COPIED) {
      cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
    }
    symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
    plant(copy, fault);
    const args = ["bin/torture.ts", "--api-only", `--minutes=${minutes}`, `--seed=${seed}`];
    const child = spawn(process.execPath, args, { cwd: copy, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return [...out.trim().split("\n"), ...err.trim().split("\n")];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
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
