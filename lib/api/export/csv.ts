import { toTextAnswer } from "#lib/api/wire/answer.ts";
import type { StreamedAnswer } from "#lib/api/wire/answer.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { Page } from "#lib/base/paging.ts";
import { toOffsetTime } from "#lib/base/time-zone.ts";

/** A cell: text, an amount in major units, a time, or empty. */
type Cell = string | number | Date | null;

/** A table to export: its header, and its rows one page at a time. */
export interface CsvTable {
  columns: readonly string[];
  readPage(ctx: ReadContext, cursor: string | undefined): Promise<Page<readonly Cell[]>>;
}

/** A table whose reader is known. */
interface ReadableTable {
  columns: readonly string[];
  readPage(cursor: string | undefined): Promise<Page<readonly Cell[]>>;
  /** On whose clocks times are written. */
  timeZone: string;
}

/** How many rows an export reads at once. */
export const EXPORT_ROWS = 500;

/**
 * A table as a CSV file (RFC 4180), streamed. A failure midway breaks the connection, so that no
 * one takes a partial file for a complete one.
 */
export async function toCsvAnswer(name: string, table: ReadableTable): Promise<StreamedAnswer> {
  const encoder = new TextEncoder();
  let page = await table.readPage(undefined);
  const toLines = (rows: readonly (readonly Cell[])[]) =>
    rows.map((cells) => toLine(cells, table.timeZone)).join("");
  let pending: string | null = toLines([table.columns, ...page.rows]);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (pending === null) {
        const cursor = page.nextCursor ?? undefined;
        page = await table.readPage(cursor);
        pending = toLines(page.rows);
      }
      controller.enqueue(encoder.encode(pending));
      pending = null;
      if (page.nextCursor === null) {
        controller.close();
      }
    },
  });
  return {
    ...toTextAnswer(""),
    contentType: "text/csv; charset=utf-8",
    headers: { "Content-Disposition": `attachment; filename="${name}.csv"` },
    stream,
  };
}

function toLine(cells: readonly Cell[], timeZone: string): string {
  return `${cells.map((cell) => toCell(cell, timeZone)).join(",")}\r\n`;
}

/**
 * A plain decimal number may start with a minus sign. Any other text that a spreadsheet would
 * evaluate must not.
 */
const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/u;

function toCell(cell: Cell, timeZone: string): string {
  if (cell === null) {
    return "";
  }
  if (cell instanceof Date) {
    return toOffsetTime(cell, timeZone);
  }
  const text = String(cell);
  const safe = /^[=+\-@＝＋－＠\t\r\n]/u.test(text) && !DECIMAL.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
