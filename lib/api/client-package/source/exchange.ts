/** What is needed of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One request, and how persistently to send it. Times are in milliseconds. */
export interface Outgoing {
  operation: string;
  url: URL;
  /** Moves this client to the cell of its key, and says where the request is sent there; undefined if that is not known. */
  follow: (() => URL) | undefined;
  init: { method: string; headers: Record<string, string>; body?: string };
  idempotencyKey: string | undefined;
  /** JSON, the text of a file, or its bytes as they arrive. */
  answers: "json" | "text" | "bytes";
  /** Whether sending it twice has the effect of sending it once. */
  repeatable: boolean;
  /** How long one attempt may take. */
  timeoutMs: number;
  /** How long all attempts and the pauses between them may take. */
  deadlineMs: number;
  maxRetries: number;
  signal: AbortSignal | undefined;
  fetch: Fetch;
  log: ((attempt: LoggedAttempt) => void) | undefined;
}

/** What was answered. */
export interface Incoming {
  data: unknown;
  response: {
    status: number;
    headers: Headers;
    requestId: string | null;
    idempotencyKey: string | undefined;
  };
}

/** What became of one attempt, for whoever keeps a log: never the API key, nor what the bodies contain. */
export interface LoggedAttempt {
  operation: string;
  path: string;
  idempotencyKey: string | undefined;
  attempt: number;
  durationMs: number;
  response: Incoming["response"] | undefined;
  error: Error | undefined;
  retryInMs: number | undefined;
}
