import { readFileSync } from "node:fs";
import path from "node:path";

const DOCS = path.join(import.meta.dirname, "../../docs");

/** The rows of the table in a section of a document, each with the texts of its cells. */
export function readTable(file: string, section: string): string[][] {
  const text = readFileSync(path.join(DOCS, file), "utf8");
  const [, after = ""] = text.split(`\n## ${section}\n`, 2);
  const [body = ""] = after.split("\n## ", 1);
  return body
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** What stands between backticks in a text. */
export function readCodes(text: string): string[] {
  return [...text.matchAll(/`(?<code>[^`]+)`/gu)].map(({ groups }) => groups?.["code"] ?? "");
}
