import { z } from "zod";

/** A paginated list whose cursor names the next page. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });
}
