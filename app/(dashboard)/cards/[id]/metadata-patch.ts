import { changedKeys } from "#lib/cards/card-metadata.ts";
import type { Metadata, MetadataPatch } from "#lib/cards/card-metadata.ts";

/** A row of the form. */
export interface Row {
  /** Identifies a row while its key is typed. */
  id: number;
  key: string;
  value: string;
}

/** The changes that the rows make, or why they are not valid metadata. Empty rows are ignored. */
export function toMetadataPatch(
  before: Metadata,
  rows: readonly Row[],
): { patch: MetadataPatch; fault: string | null } {
  const filled = rows.filter(({ key, value }) => key.trim() !== "" || value !== "");
  const entries = new Map(filled.map(({ key, value }) => [key, value]));
  const fault = findFault(filled, entries);
  const removed = Object.keys(before)
    .filter((key) => !entries.has(key))
    .map((key): [string, null] => [key, null]);
  const wanted: MetadataPatch = Object.fromEntries([...entries, ...removed]);
  const changed = new Set(changedKeys(before, wanted));
  return {
    patch: Object.fromEntries(Object.entries(wanted).filter(([key]) => changed.has(key))),
    fault,
  };
}

function findFault(rows: readonly Row[], entries: ReadonlyMap<string, string>): string | null {
  if (rows.some(({ key }) => key.trim() === "")) {
    return "Enter a key for each value.";
  }
  return entries.size < rows.length ? "Each key can appear only once." : null;
}
