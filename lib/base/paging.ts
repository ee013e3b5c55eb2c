import { z } from "zod";
import { DomainError } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";

/** Rows per page unless the caller requests another number. */
export const PAGE_SIZE_DEFAULT = 15;
export const PAGE_SIZE_MAX = 100;

/** The highest page number allowed. A page number costs as much as all the pages before it; a cursor has no such limit. */
export const PAGE_MAX = 1_000;

/** The highest count of rows. Counting further would make lists of a large account slower than those of a small one. */
const COUNT_MAX = 1_000;

/** How many rows a filter matches from its cursor on. Inexact if there are more than `rows`. */
export interface Count {
  rows: number;
  isExact: boolean;
}

/** The row limit of a query for the ids that are to be counted. */
export const COUNTED_MAX = COUNT_MAX + 1;

/** @param counted how many rows a query with the limit `COUNTED_MAX` returned. */
export function toCount(counted: number): Count {
  return { rows: Math.min(counted, COUNT_MAX), isExact: counted <= COUNT_MAX };
}

/** One page of a list, and the cursor of the next page, or null at the end. */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** A cursor is the id of the last row seen, so rows added in the meantime shift nothing. */
export function requireCursor(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && !isId(cursor)) {
    throw new DomainError("validation_failed", "The cursor did not come from a list response.", {
      cursor: ["This field must be the next_cursor of an earlier response."],
    });
  }
  return cursor;
}

const versionCursorSchema = z.string().regex(/^[0-9]{1,16}$/u);

/** As `requireCursor`, for lists ordered by account version. */
export function requireVersionCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) {
    return undefined;
  }
  if (!versionCursorSchema.safeParse(cursor).success) {
    throw new DomainError("validation_failed", "The cursor did not come from a list response.", {
      cursor: ["This field must be the next_cursor of an earlier response."],
    });
  }
  return Number(cursor);
}

/** Cuts a list that was read with one row more than its page, and returns the cursor of the next page. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): Page<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}
