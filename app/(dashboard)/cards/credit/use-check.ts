"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperation } from "../../../client/use-operation.ts";
import type { CreditRow, CreditRows } from "./credit-file.ts";
import { callApi } from "#lib/api/client.ts";

/** What crediting rows would do. */
export interface Checked extends CreditRows {
  /** The job that checked the rows; null if there were none to check. */
  jobId: string | null;
}

const POLL_MS = 500;
const PAGE = 100;

/** The rows as the API takes them. */
export function toItems(rows: readonly CreditRow[]) {
  return rows.map(({ cardId, amount, narrative }) => ({ card_id: cardId, amount, narrative }));
}

/** Has the server decide each row without crediting it. Leaving the page cancels this. */
export function useCheck() {
  const begin = useOperation(OPERATIONS.createBulkJob);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  return useMutation({
    mutationFn: async (file: CreditRows): Promise<Checked> => {
      const { rows, bad } = file;
      controller.current = new AbortController();
      const { signal } = controller.current;
      if (rows.length === 0) {
        return { ...file, jobId: null };
      }
      const body = { operation: "credit", check: true, items: toItems(rows) } as const;
      const { data } = await begin.mutateAsync({ body });
      await waitForEnd(data.id, signal);
      const refused = await readRefused(data.id, signal);
      const refusedRows = rows.flatMap((row, at) => {
        const why = refused.get(at);
        return why === undefined ? [] : [{ ...row, why }];
      });
      return {
        ...file,
        jobId: data.id,
        rows: rows.filter((_, at) => !refused.has(at)),
        bad: [...bad, ...refusedRows].toSorted((x, y) => x.row - y.row),
      };
    },
  });
}

async function waitForEnd(id: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { data } = await callApi(OPERATIONS.getBulkJob, { id }, { signal });
    if (data.state !== "running") {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

/** Why rows would be refused, by their positions. */
async function readRefused(id: string, signal: AbortSignal): Promise<Map<number, string>> {
  const refused = new Map<number, string>();
  let cursor: string | undefined;
  do {
    const query = { state: "refused", limit: String(PAGE), ...(cursor && { cursor }) };
    const page = await callApi(OPERATIONS.listBulkResults, { id, query }, { signal });
    for (const { position, detail } of page.data) {
      refused.set(position, detail ?? "Refused.");
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return refused;
}
