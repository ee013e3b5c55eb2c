/** An RFC 4180 parser, independent of the code that writes the file. */
export function parseCsv(text: string): Record<string, string>[] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gu)].map((found) => ({
    text: found[1]?.replaceAll('""', '"') ?? found[2] ?? "",
    ends: found[3] === "\r\n",
  }));
  const rows: string[][] = [[]];
  for (const { text: cell, ends } of cells) {
    rows.at(-1)?.push(cell);
    if (ends) {
      rows.push([]);
    }
  }
  const [heading = [], ...lines] = rows.slice(0, -1);
  return lines.map((line) => {
    if (line.length !== heading.length) {
      throw new Error(`A row has ${line.length} cells instead of ${heading.length}.`);
    }
    return Object.fromEntries(heading.map((name, index) => [name, line[index] ?? ""]));
  });
}
