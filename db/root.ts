import { findPackageJSON } from "node:module";
import path from "node:path";

/** The checkout or the release: the folder of our package.json, whether this runs from the sources or from a bundle. */
export const ROOT = path.dirname(requireFound(findPackageJSON(import.meta.url)));

function requireFound(file: string | undefined): string {
  if (file === undefined) {
    throw new Error("The folder above this program has no package.json.");
  }
  return file;
}
