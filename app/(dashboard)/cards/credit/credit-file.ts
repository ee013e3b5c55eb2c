import Papa from "papaparse";
import { ITEMS_MAX } from "#lib/bulk/bulk-job.ts";
import { toNamedCard } from "./named-cards.ts";
import type { NamedCard } from "./named-cards.ts";
import { isId } from "#lib/base/ids.ts";
import { readAmount } from "#lib/base/typed-amount.ts";

/** A row of a file: a card to credit. */
export interface CreditRow {
  /** As spreadsheets number it, from 1. */
  row: number;
  cardId: string;
  /** As it was written. */
  written: string;
  /** In minor units. */
  amount: number;
  narrative: string | null;
  /** All cells of the row. */
  cells: readonly string[];
}

/** A row that cannot be credited, and why. */
export interface BadRow extends Pick<CreditRow, "row" | "cardId" | "written" | "cells"> {
  why: string;
}

/** The rows of a file. */
export interface CreditRows {
  /** The names of the columns, in order. */
  names: readonly string[];
  rows: readonly CreditRow[];
  bad: readonly BadRow[];
}

/** The rows of a file, or the fault that affects all of it. */
export type CreditFile = CreditRows | { fault: string };

/** The positions of a row's cells; -1 for a missing column. */
interface Columns {
  card: number;
  last4: number;
  name: number;
  amount: number;
  narrative: number;
}

const UNNAMED: Columns = { card: 0, last4: -1, name: -1, amount: 1, narrative: 2 };
const UNNAMED_NAMES = ["card_id", "amount", "narrative"];

/** A line that tells Excel which character separates cells. It is not one of the rows. */
const SEPARATOR_LINE = /^\uFEFF?sep=[^\r\n]*\r?\n/iu;

/** Finds the card of a row that has no ID, or says why there is none. */
export type FindCard = (card: NamedCard) => { cardId: string } | { why: string };

const UNKNOWN: FindCard = () => ({ why: "The card ID is missing." });

/**
 * Reads rows that were exported by or copied from a spreadsheet, separated by commas, semicolons, or tabs. A first
 * row with the word "amount" names the columns, in any order and with others between them; otherwise, they are card,
 * amount, and narrative. Instead of an ID, a row can give the card's last four digits and the name on it. Empty rows
 * are skipped.
 * @param currency of the account; amounts are in its major unit.
 */
export function readCreditFile(
  text: string,
  currency: string,
  find: FindCard = UNKNOWN,
): CreditFile {
  const rest = text.replace(SEPARATOR_LINE, "");
  const firstRow = rest === text ? 1 : 2;
  const { data, meta } = Papa.parse<string[]>(rest.trimEnd(), {
    delimitersToGuess: [",", ";", "\t"],
  });
  const lines = data.flatMap((cells, at) =>
    cells.some((cell) => cell.trim() !== "") ? [{ row: at + firstRow, cells }] : [],
  );
  const columns = findColumns(lines[0]?.cells ?? []);
  const rows = columns === UNNAMED ? lines : lines.slice(1);
  const fault = findFault(columns, rows.length);
  if (fault !== null) {
    return { fault };
  }
  const isComma = meta.delimiter === ",";
  const read = rows.map((line) =>
    isComma && isSplit(line.cells, columns)
      ? toBad(line, columns, SPLIT)
      : readRow(line, columns, { currency, find }),
  );
  return {
    names: columns === UNNAMED ? UNNAMED_NAMES : (lines[0]?.cells ?? []),
    rows: read.flatMap((each) => ("why" in each ? [] : [each])),
    bad: read.flatMap((each) => ("why" in each ? [each] : [])),
  };
}

function findColumns(first: readonly string[]): Columns {
  const names = first.map((name) => name.trim().toLowerCase());
  if (!names.includes("amount")) {
    return UNNAMED;
  }
  const card = names.findIndex((name) => name === "card_id" || name === "id");
  const [last4 = -1, name = -1, amount = -1, narrative = -1] = [
    "last4",
    "name",
    "amount",
    "narrative",
  ].map((each) => names.indexOf(each));
  return { card, last4, name, amount, narrative };
}

function findFault({ card, last4, name }: Columns, rows: number): string | null {
  if (card < 0 && (last4 < 0 || name < 0)) {
    return 'Add a column "card_id" with the ID of each card, or the columns "last4" and "name".';
  }
  if (rows === 0) {
    return "There are no rows to credit.";
  }
  const shown = [rows, ITEMS_MAX].map((count) => count.toLocaleString("en-US"));
  return rows > ITEMS_MAX
    ? `These are ${shown[0]} rows. Credit at most ${shown[1]} at once: split them.`
    : null;
}

interface Line {
  row: number;
  cells: readonly string[];
}

const toCell = ({ cells }: Line, column: number) => cells[column]?.trim() ?? "";

/** A cell with the characters that amounts and ids use: full-width digits become plain ones. */
const toPlain = (line: Line, column: number) => toCell(line, column).normalize("NFKC");

const SPLIT = "The amount may have been cut at its comma. Write it without, or in quotes.";

/** Whether an unquoted amount such as 1,000 may have been split into two cells. */
function isSplit(cells: readonly string[], { amount }: Columns): boolean {
  const [before = "", after = ""] = cells.slice(amount, amount + 2).map((cell) => cell.trim());
  return /[0-9]$/u.test(before) && /^[0-9]{3}(?:\.[0-9]+)?$/u.test(after);
}

function toBad(line: Line, columns: Columns, why: string): BadRow {
  const { row, cells } = line;
  const cardId = toPlain(line, columns.card).toLowerCase();
  return { row, cells, cardId, written: toCell(line, columns.amount), why };
}

function readRow(
  line: Line,
  columns: Columns,
  { currency, find }: { currency: string; find: FindCard },
): CreditRow | BadRow {
  const { row, cells } = line;
  const written = toPlain(line, columns.amount);
  const found = findCard(line, columns, find);
  if ("why" in found) {
    return toBad(line, columns, found.why);
  }
  const { cardId } = found;
  const read = readAmount(written, currency);
  return read.amount === null
    ? toBad(line, columns, read.problem)
    : {
        row,
        cells,
        cardId,
        written,
        amount: read.amount,
        narrative: toCell(line, columns.narrative) || null,
      };
}

function findCard(line: Line, columns: Columns, find: FindCard): ReturnType<FindCard> {
  const cardId = toPlain(line, columns.card).toLowerCase();
  if (cardId !== "") {
    return isId(cardId) ? { cardId } : { why: "This is not the ID of a card." };
  }
  const card = toNamedCard(toPlain(line, columns.last4), toCell(line, columns.name));
  return card ? find(card) : { why: "The card ID is missing." };
}

/**
 * The rows that were left out, as a file to correct and choose again: with every column of the original, and the
 * reason for each row. Spreadsheets evaluate none of the cells.
 */
export function toBadFile({ names, bad }: Pick<CreditRows, "names" | "bad">): string {
  const known = names.map((name) => ([ROW, REASON].includes(name) ? "" : name));
  const kept = known.flatMap((name, at) => (name === "" ? [] : [at]));
  return Papa.unparse(
    {
      fields: [...kept.map((at) => known[at] ?? ""), ROW, REASON],
      data: bad.map(({ row, cells, why }) => [...kept.map((at) => cells[at] ?? ""), row, why]),
    },
    { escapeFormulae: true },
  );
}

/** The columns that this file adds to the original ones. */
const ROW = "row";
const REASON = "reason_left_out";
