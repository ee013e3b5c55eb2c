import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";

/** The directory that a database outside of it belongs to. */
interface Owner {
  path: string;
  /** What tells a directory that was moved from one that was copied. */
  file: string;
}

/**
 * Writes down beside `data` which data directory it belongs to. Moved, the directory keeps it; a copy does not get it.
 * @param dir an absolute path.
 * @throws Error in one sentence when `data` belongs to another directory that is still there.
 */
export function claimData(data: string, dir: string): void {
  const record = `${data}.owner`;
  const self: Owner = { path: dir, file: identify(dir) };
  const owner: Owner | undefined = existsSync(record)
    ? JSON.parse(readFileSync(record, "utf8"))
    : undefined;
  if (owner && owner.path !== self.path && owner.file !== self.file && existsSync(owner.path)) {
    throw new Error(
      `${dir} is a copy of ${owner.path}, whose database is in ${data} and was not copied with it. Delete ${dir}/postgres-data to begin with an empty database there, or move the data with pg_dump.`,
    );
  }
  if (owner?.path !== self.path || owner.file !== self.file) {
    writeFileSync(record, JSON.stringify(self), { mode: 0o600 });
  }
}

/** The same for one directory under all its names, and as long as the system runs another for every other. */
export function identify(dir: string): string {
  const { dev, ino } = statSync(dir);
  return `${dev}:${ino}`;
}
