import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "#db/root.ts";

interface Journal {
  entries: { idx: number; tag: string; when: number; breakpoints: boolean; version: string }[];
}

/** The migrations of a version after this one. */
export interface NextVersion {
  folder: string;
  /** The `when` of this version's newest migration. */
  newest: number;
}

/**
 * Copies this version's migrations to a folder of their own, and adds one with these statements.
 * @param runsWith the `when` of the last migration that a server must know to run on the new schema; null for the new one.
 */
export function addMigration(
  statements: readonly string[],
  runsWith: "this version" | null = null,
): NextVersion {
  const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-migrations-"));
  cpSync(path.join(ROOT, "db/migrations"), folder, { recursive: true });
  const file = path.join(folder, "meta/_journal.json");
  const journal: Journal = JSON.parse(readFileSync(file, "utf8"));
  const newest = Math.max(...journal.entries.map(({ when }) => when));
  const next = { idx: 9_999, tag: "9999_next", when: newest + 1, breakpoints: true, version: "7" };
  writeFileSync(file, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
  const head = runsWith === null ? "" : `-- runs-with: ${newest}\n`;
  writeFileSync(
    path.join(folder, "9999_next.sql"),
    head + statements.join(";--> statement-breakpoint\n"),
  );
  return { folder, newest };
}
