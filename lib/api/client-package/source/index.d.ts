import type { Approval, ErrorCode, Nouns, WebhookEvent } from "./contract.cjs";

/** How to send requests. Times are in milliseconds. */
export interface Persistence {
  /** How long one attempt may take; of a streamed file, each wait for more of it. Default: 30,000. */
  timeoutMs?: number;
  /** How long a call may take with all its retries; of a streamed file, until it begins. Default: 120,000. */
  deadlineMs?: number;
  /** How many retries there may be within the deadline. Default: no limit. */
  maxRetries?: number;
  /** Headers to send. They win over those that the client sets itself. */
  headers?: Readonly<Record<string, string>>;
}

export interface FloatdeckOptions extends Persistence {
  apiKey: string;
  /** The server's address. Default: the server that this package came from. */
  baseUrl?: string;
  /**
   * The addresses of cells, as in `{ c2: "https://c2.example" }`: a call whose server says that the key is of another cell
   * goes to the key's, and so do all later ones. No other address gets the key.
   */
  cells?: Readonly<Record<string, string>>;
  /** What sends requests. Default: the `fetch` of the runtime. */
  fetch?(url: string, init: FetchInit): Promise<FetchResponse>;
  /** Called after each attempt, with nothing that is secret. What it throws is ignored. */
  log?(attempt: LoggedAttempt): void;
}

export interface CallOptions extends Persistence {
  /** Ends the call with a FloatdeckAbortError, also while it waits to retry. */
  signal?: Aborting;
}

export interface ChangeOptions extends CallOptions {
  /** Default: a new random key. It stays the same in all retries of the call. */
  idempotencyKey?: string;
}

/** What is needed of an AbortSignal. */
export interface Aborting {
  readonly aborted: boolean;
  readonly reason?: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The AbortSignal of the runtime, where TypeScript knows it. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : Aborting;

/** What your own `fetch` is called with. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: "manual";
  signal: Signal;
}

/** What is needed of a Response. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: ResponseHeaders;
  text(): Promise<string>;
}

export interface ResponseHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

/** What became of one attempt of a call. */
export interface LoggedAttempt {
  /** Its name in this library, for example `cards.freeze`. */
  readonly operation: string;
  /** Without the filters. */
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  /** From 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /** Undefined when no answer arrived. */
  readonly response: ResponseDetails | undefined;
  /** Undefined when the attempt succeeded. */
  readonly error: Error | undefined;
  /** Undefined when this was the last attempt. */
  readonly retryInMs: number | undefined;
}

/** What was answered, apart from the body. */
export interface ResponseDetails {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Name it when you ask about the request. */
  readonly requestId: string | null;
  readonly idempotencyKey: string | undefined;
}

/** A call of an operation: the promise of what was answered. */
export interface Call<Answer> extends Promise<Answer> {
  /** What was answered, with its status and headers. */
  withResponse(): Promise<{ data: Answer; response: ResponseDetails }>;
}

/** A value, or several. */
export type OneOrMore<T> = T | readonly T[];

/** A list. Awaited, it is its first page; iterated with `for await`, all its rows. The first page is read once. */
export interface Pages<Row, Answer> extends Call<Answer>, AsyncIterable<Row> {
  /** The first page, as an object that leads to the next one. */
  firstPage(): Promise<Page<Row>>;
  /** All pages, one by one. */
  pages(): AsyncIterable<Page<Row>>;
}

/** A page of a list, the same for every list. */
export interface Page<Row> {
  readonly data: Row[];
  /** What to add to the filters of the list to go on later. Undefined on the last page. */
  readonly next: { cursor?: string; after?: string } | undefined;
  readonly response: ResponseDetails;
  hasNextPage(): boolean;
  /** Undefined on the last page. */
  getNextPage(): Promise<Page<Row> | undefined>;
}

/** A file. Awaited, it is its whole text; iterated with `for await`, its bytes as they arrive. */
export interface Download extends Call<string>, AsyncIterable<Uint8Array> {}

/** The API of one server. It repeats a request, with the same idempotency key, until the answer is final. */
export interface Floatdeck extends Nouns {}
export declare const Floatdeck: { new (options: FloatdeckOptions): Floatdeck };

/** The server refused a request. `code` says why. */
export declare class FloatdeckError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string;
  /** What is wrong, by member of the request. */
  readonly errors: Readonly<Record<string, string | string[]>>;
  readonly requestId: string | null;
  /** The key of the refused change. */
  readonly idempotencyKey: string | undefined;
  /** Whether this is the outcome. If not, repeat the request with the same key: the change may have been made. */
  readonly isFinal: boolean;
}

/** 202: the change waits for another person's approval, and nothing has moved. Its key is the approval's from now on. */
export declare class FloatdeckApprovalError extends FloatdeckError {
  readonly approval: Approval;
}

/** 401: the API key is missing or not valid. */
export declare class FloatdeckAuthenticationError extends FloatdeckError {}
/** 403: the API key may not do this. */
export declare class FloatdeckPermissionError extends FloatdeckError {}
/** 404: there is no such object. */
export declare class FloatdeckNotFoundError extends FloatdeckError {}
/** 409 or 412: the object is in a state that does not allow this, or has changed since it was read. */
export declare class FloatdeckConflictError extends FloatdeckError {}
/** 429: too many requests. */
export declare class FloatdeckRateLimitError extends FloatdeckError {}
/** Any other 4xx: the request has a mistake, or the funds for it are missing. */
export declare class FloatdeckInvalidRequestError extends FloatdeckError {}
/** 5xx: the server failed. The change may have been made. */
export declare class FloatdeckServerError extends FloatdeckError {}

/** No answer arrived. A change may have been made: repeat it with the same idempotency key to find out. */
export declare class FloatdeckConnectionError extends Error {
  readonly idempotencyKey: string | undefined;
}

/** No answer arrived in time. */
export declare class FloatdeckTimeoutError extends FloatdeckConnectionError {}
/** The call's `signal` ended it; `cause` is the signal's reason. */
export declare class FloatdeckAbortError extends FloatdeckConnectionError {}

/** A notification is not from Floatdeck, or too old: answer 400 and ignore it. */
export declare class WebhookVerificationError extends Error {}

/**
 * Verifies a notification (Standard Webhooks), whose timestamp may be five minutes off, and returns its event.
 * @param secret the signing secret, or several while you change from one to the next.
 * @param headers of the request: a Headers object, or an object by name.
 * @param rawBody the body as it arrived, before it is parsed.
 * @throws WebhookVerificationError
 */
export declare function verifyWebhook(
  secret: string | readonly string[],
  headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>,
  rawBody: string | Uint8Array,
): Promise<WebhookEvent>;

/**
 * Signs a notification as Floatdeck does, so that a test can send one to your receiver.
 * @param options its id, by default a random one, and when it was sent, by default now.
 * @returns the headers to send.
 */
export declare function signWebhook(
  secret: string,
  rawBody: string | Uint8Array,
  options?: { id?: string; at?: Date },
): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>>;
