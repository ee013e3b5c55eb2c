import { z } from "zod";
import { DomainError } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";

/** Rows a page holds unless the caller asks for another number. */
export const PAGE_SIZE_DEFAULT = 15;
export const PAGE_SIZE_MAX = 100;

/** How far page numbers reach; a cursor has no such end. Each page number costs what all pages before it cost. */
export const PAGE_MAX = 1_000;

/** One page of a list, and the cursor of the next; null at the end. */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** A cursor is the id of the last row seen, so that rows added meanwhile shift nothing. */
export function requireCursor(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && !isId(cursor)) {
    throw new DomainError("validation_failed", "The cursor is not one that a list has answered.", {
      cursor: ["This field must be the next_cursor of an earlier answer."],
    });
  }
  return cursor;
}

const versionCursorSchema = z.string().regex(/^[0-9]{1,16}$/u);

/** As `requireCursor`, for lists in the order of an account's versions. */
export function requireVersionCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) {
    return undefined;
  }
  if (!versionCursorSchema.safeParse(cursor).success) {
    throw new DomainError("validation_failed", "The cursor is not one that a list has answered.", {
      cursor: ["This field must be the next_cursor of an earlier answer."],
    });
  }
  return Number(cursor);
}

/** Cuts a list that was read one row longer than its page, and tells where the next page starts. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): Page<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}
