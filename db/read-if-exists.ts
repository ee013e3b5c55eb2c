import { readFileSync } from "node:fs";

/** The text of a file; undefined if there is none. Unlike a check and a read, it never fails for a file that goes away. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}
