import { toTextAnswer } from "#lib/api/wire/answer.ts";
import type { StreamedAnswer } from "#lib/api/wire/answer.ts";
import type { Cell } from "#lib/base/cell.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { Page } from "#lib/base/paging.ts";
import { toDecimal } from "#lib/base/money.ts";
import { toLocalDay, toOffsetTime } from "#lib/base/time-zone.ts";

/** A table to export: what it is, its header, and its rows one page at a time. */
export interface CsvTable {
  /** Names the list and the period, for the file: `transactions-2026-10-01-to-2026-10-31`. */
  name: string;
  columns: readonly string[];
  readPage(ctx: ReadContext, cursor: string | undefined): Promise<Page<readonly Cell[]>>;
}

/** A table, with what its reader determines. */
interface ReadableTable extends Pick<CsvTable, "name" | "columns"> {
  /** Whose table it is, for the file's name. */
  businessName: string;
  readPage(cursor: string | undefined): Promise<Page<readonly Cell[]>>;
  /** The time zone in which times are written. */
  timeZone: string;
}

/** How many rows an export reads at once. */
export const EXPORT_ROWS = 500;

/** Without it, Excel reads UTF-8 as the code page of its system. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * A table as a CSV file (RFC 4180), streamed. A failure midway breaks the connection, so that no
 * one takes a partial file for a complete one.
 */
export async function toCsvAnswer(table: ReadableTable): Promise<StreamedAnswer> {
  const encoder = new TextEncoder();
  let page = await table.readPage(undefined);
  const toLines = (rows: readonly (readonly Cell[])[]) =>
    rows.map((cells) => toLine(cells, table.timeZone)).join("");
  let pending: string | null = BYTE_ORDER_MARK + toLines([table.columns, ...page.rows]);
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
    headers: { "Content-Disposition": toDisposition(`${table.businessName} ${table.name}.csv`) },
    stream,
  };
}

/**
 * A file name of letters, digits, and hyphens, with a variant without accents and other scripts for clients that do
 * not know Unicode.
 */
function toDisposition(given: string): string {
  const name = given.replaceAll(/[^\p{L}\p{M}\p{N}.]+/gu, "-").replace(/^[-.]+/u, "");
  const plain = name
    .normalize("NFKD")
    .replaceAll(/[^\w.-]/gu, "")
    .replace(/^[-.]+/u, "");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

function toLine(cells: readonly Cell[], timeZone: string): string {
  return `${cells.map((cell) => toCell(cell, timeZone)).join(",")}\r\n`;
}

function toCell(cell: Cell, timeZone: string): string {
  if (cell === null) {
    return "";
  }
  if (typeof cell === "string") {
    return toQuoted(toInertText(cell));
  }
  if (cell instanceof Date) {
    return toOffsetTime(cell, timeZone);
  }
  if (typeof cell === "number") {
    return String(cell);
  }
  return "dayOf" in cell ? toLocalDay(cell.dayOf, timeZone) : toDecimal(cell.amount, cell.currency);
}

/**
 * Where a spreadsheet would start to evaluate a formula: at the start of a cell, and after anything that may separate
 * cells. In much of Europe, spreadsheets split a CSV file at semicolons instead of commas, and then ignore its
 * quotes.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu;

/** Text with digits and without letters, which a spreadsheet would turn into a number, a date, or a time. */
const NUMBER = /^[^\p{L}\p{Cc}"';]*\d[^\p{L}\p{Cc}"';]*$/u;
const SCIENTIFIC = /^\d+(?:\.\d+)?e\d+$/iu;

/**
 * Escapes text so that spreadsheets leave it alone: an apostrophe before what they would evaluate, and `="0042"` for
 * the digits of a card, which is how spreadsheets write text that would lose its zeros.
 */
function toInertText(text: string): string {
  const inert = text.replaceAll(FORMULA, "'");
  return NUMBER.test(inert) || SCIENTIFIC.test(inert) ? `="${inert}"` : inert;
}

function toQuoted(text: string): string {
  return /[",;\t\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
