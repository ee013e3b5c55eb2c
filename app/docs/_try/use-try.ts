import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useOperation } from "../../client/use-operation.ts";
import { callApi } from "#lib/api/client.ts";
import type { ApiInput, SentRequest } from "#lib/api/client.ts";
import type { Operation } from "#lib/operations/operation.ts";

/** The second press of a double click comes within this time, often after the answer. */
const DOUBLE_CLICK_MS = 1_000;

type Input = ApiInput<Record<string, string>, unknown>;

/**
 * Sends an operation as the dashboard does: a change has an idempotency key of its own, kept until a final response
 * arrives. A double click sends once, even if the first response arrives before the second press.
 */
export function useTry({ id, method }: { id: string; method: string }) {
  const [sent, setSent] = useState<SentRequest | null>(null);
  const [sentBody, setSentBody] = useState<string | null>(null);
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  const load = () => loadOperation(id);
  const change = useOperation(load, undefined, setSent);
  const read = useMutation<unknown, unknown, Input>({
    mutationFn: (input) => callApi(load, input, { onResponse: setSent }),
  });
  const { mutate, data, error, isPending } = method === "GET" ? read : change;
  const send = (input: Input) => {
    const now = performance.now();
    if (isPending || now - pressedAt.current < DOUBLE_CLICK_MS) {
      return;
    }
    pressedAt.current = now;
    setSent(null);
    setSentBody(input.body === undefined ? null : JSON.stringify(input.body, null, 2));
    mutate(input);
  };
  return { send, sent, sentBody, answer: data, error, isPending };
}

async function loadOperation(id: string): Promise<Operation> {
  const { OPERATIONS } = await import("#lib/operations/operations.ts");
  const operation = OPERATIONS.find((each) => each.id === id);
  if (!operation) {
    throw new Error(`There is no operation ${id}.`);
  }
  return operation;
}
