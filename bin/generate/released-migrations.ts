import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";

const FOLDER = "db/migrations";
const FILE = `${FOLDER}/released.json`;

/** The SHA-256 of each migration's file, by its path in the folder. */
export type Pins = Readonly<Record<string, string>>;

/** The text of the file that pins each migration. Databases have already run them, so they must never change. */
export function pinMigrations(): Record<string, string> {
  const file = path.join(ROOT, FILE);
  const pinned: Pins = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const found = globSync(`${FOLDER}/{*,late/*}.sql`, { cwd: ROOT })
    .toSorted()
    .map((each): [string, string] => [
      path.posix.relative(FOLDER, each),
      createHash("sha256")
        .update(readFileSync(path.join(ROOT, each)))
        .digest("hex"),
    ]);
  return { [FILE]: `${JSON.stringify(addPins(pinned, Object.fromEntries(found)), null, 2)}\n` };
}

/**
 * Adds pins for new migrations.
 * @throws Error with one sentence if a pinned migration has changed or is gone.
 */
export function addPins(pinned: Pins, found: Pins): Pins {
  for (const [name, hash] of Object.entries(pinned)) {
    if (found[name] !== hash) {
      throw new Error(
        `${FOLDER}/${name} is released and must stay as it is: write another migration. Only if it has never left your machine, remove its line from ${FILE}.`,
      );
    }
  }
  return found;
}
