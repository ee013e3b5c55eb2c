import { expect } from "vitest";
import type { ApiReply } from "./api-client.ts";

/** Every row of a list, read in pages of this size; `meanwhile` runs after each one. */
export async function readPages<Row>(
  fetchPage: (query: string) => Promise<ApiReply>,
  limit: number,
  meanwhile?: () => Promise<unknown>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const reply = await fetchPage(`limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`);
    const page = reply.json as { data: Row[]; next_cursor: string | null };
    expect(page.data.length).toBeLessThanOrEqual(limit);
    rows.push(...page.data);
    cursor = page.next_cursor;
    await meanwhile?.();
  } while (cursor !== null);
  return rows;
}

/** The refusal of a query, which names its first parameter. */
export function refusalOf(query: string) {
  const [name = ""] = query.split("=");
  return { status: 422, json: { errors: { [name]: [expect.any(String)] } } };
}
