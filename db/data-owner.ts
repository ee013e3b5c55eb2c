import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";

/** The data directory that an external database belongs to. */
interface Owner {
  path: string;
  /** Distinguishes a moved directory from a copied one. */
  file: string;
}

/**
 * Records next to `data` which data directory it belongs to. A moved directory keeps its data; a copy does
 * not get it.
 * @param dir an absolute path.
 * @throws Error with one sentence when `data` belongs to another directory that still exists.
 */
export function claimData(data: string, dir: string): void {
  const record = `${data}.owner`;
  const self: Owner = { path: dir, file: identify(dir) };
  const owner: Owner | undefined = existsSync(record)
    ? JSON.parse(readFileSync(record, "utf8"))
    : undefined;
  if (owner && owner.path !== self.path && owner.file !== self.file && existsSync(owner.path)) {
    throw new Error(
      `${dir} is a copy of ${owner.path}, whose database is in ${data} and was not copied with it. Delete ${dir}/postgres-data to start with an empty database there, or move the data with pg_dump.`,
    );
  }
  if (owner?.path !== self.path || owner.file !== self.file) {
    writeFileSync(record, JSON.stringify(self), { mode: 0o600 });
  }
}

/**
 * Identifies a directory under any of its names, for as long as the file system does not reuse the
 * identifier.
 */
export function identify(dir: string): string {
  const { dev, ino } = statSync(dir);
  return `${dev}:${ino}`;
}
