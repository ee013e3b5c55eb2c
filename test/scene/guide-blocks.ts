import { readFileSync } from "node:fs";
import path from "node:path";

const DOCS = path.join(import.meta.dirname, "../../docs");

/**
 * A code block of a guide. The first word of its info string is its language, and the second one says what it is for: who
 * runs it, or the name of the file it is saved as.
 */
export interface GuideBlock {
  file: string;
  language: string;
  use: string;
  text: string;
}

/** The code blocks of a document, in order. */
export function readBlocks(file: string): GuideBlock[] {
  const text = readFileSync(path.join(DOCS, file), "utf8");
  return [...text.matchAll(/^```(?<info>[^\n]*)\n(?<text>.*?)^```$/gmsu)].map(({ groups }) => {
    const [language = "", use = ""] = (groups?.["info"] ?? "").split(" ", 2);
    return { file, language, use, text: groups?.["text"] ?? "" };
  });
}
