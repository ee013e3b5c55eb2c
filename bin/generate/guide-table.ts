import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";

const BEGIN = "<!-- Written by npm run generate. -->\n";
const END = "<!-- The end of what npm run generate writes. -->\n";

export type Row = readonly string[];

/**
 * The text of a guide, with its generated table. The first row is the head.
 * @throws Error if the guide has no place for the table.
 */
export function withTable(guide: string, rows: readonly Row[]): string {
  const text = readFileSync(path.join(ROOT, guide), "utf8");
  const [before, rest = ""] = text.split(BEGIN, 2);
  const [, after] = rest.split(END, 2);
  if (after === undefined) {
    throw new Error(`${guide} lacks the comments between which its table is written.`);
  }
  return `${before}${BEGIN}\n${toTable(rows)}\n${END}${after}`;
}

/** A Markdown table with aligned columns, as the formatter writes it. */
function toTable([head = [], ...rows]: readonly Row[]): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const toLine = (cells: Row, fill = " ") =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |\n`;
  return [head, head.map(() => ""), ...rows]
    .map((cells, index) => toLine(cells, index === 1 ? "-" : " "))
    .join("");
}
