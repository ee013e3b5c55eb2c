import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type postgres from "postgres";

const FOLDER = path.join(import.meta.dirname, "../../db/migrations");

/** Applies the migrations before the named one, and returns a function that applies that one. */
export async function applyUntil(owner: postgres.Sql, name: string): Promise<() => Promise<void>> {
  const files = globSync("*.sql", { cwd: FOLDER }).toSorted();
  const at = files.findIndex((file) => file.includes(name));
  const apply = async (file = "") => {
    const text = readFileSync(path.join(FOLDER, file), "utf8");
    await owner.begin(async (tx) => {
      for (const statement of text.split("--> statement-breakpoint")) {
        await tx.unsafe(statement);
      }
    });
  };
  for (const file of files.slice(0, at)) {
    await apply(file);
  }
  return () => apply(files[at]);
}
