/** What became of a request with an idempotency key. */
export type KeyedRequest =
  | { state: "unknown" | "in_progress" | "expired" }
  | {
      /** `waiting_for_approval`: it was answered 202, and nobody has decided yet. */
      state: "completed" | "waiting_for_approval";
      /** Null for an answer that was stored without it. */
      operation: string | null;
      status: number;
      /** Null when it contains a secret, when it was erased, or when the caller may not call the operation. */
      body: unknown;
      requestId: string;
      completedAt: Date;
    };

export function toKeyedRequestResource(key: string, request: KeyedRequest) {
  const nothing = { operation: null, status: null, body: null };
  return "requestId" in request
    ? {
        key,
        state: request.state,
        operation: request.operation,
        status: request.status,
        body: request.body,
        request_id: request.requestId,
        completed_at: request.completedAt.toISOString(),
      }
    : { key, state: request.state, ...nothing, request_id: null, completed_at: null };
}
