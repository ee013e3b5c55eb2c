import type { ErrorCode, Nouns, WebhookEvent } from "./contract.js";

/** How persistently to call. Times are in milliseconds. */
export interface Persistence {
  /** How long one attempt may take. Default: 30,000. */
  timeoutMs?: number;
  /** How long a call may take with all its retries. Default: 120,000. */
  deadlineMs?: number;
  /** How many retries there may be within the deadline. Default: no limit. */
  maxRetries?: number;
}

export interface FloatdeckOptions extends Persistence {
  apiKey: string;
  /** The server's address. Default: the server that this package came from. */
  baseUrl?: string;
}

export interface CallOptions extends Persistence {
  /** Ends the call, also while it waits to retry. */
  signal?: Aborting;
}

export interface ChangeOptions extends CallOptions {
  /** Default: a new random key. It stays the same in all retries of the call. */
  idempotencyKey?: string;
}

/** What is needed of an AbortSignal. */
export interface Aborting {
  readonly aborted: boolean;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A value, or several. */
export type OneOrMore<T> = T | readonly T[];

/** A list. Awaited, it is its first page; iterated with `for await`, all its rows. */
export interface Pages<Row, Page> extends PromiseLike<Page>, AsyncIterable<Row> {}

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
  readonly requestId: string;
  /** The key of the refused change. */
  readonly idempotencyKey: string | undefined;
  /** Whether this is the outcome. If not, repeat the request with the same key: the change may have been made. */
  readonly isFinal: boolean;
}

/** No answer arrived. A change may have been made: repeat it with the same idempotency key to find out. */
export declare class FloatdeckConnectionError extends Error {
  readonly idempotencyKey: string | undefined;
}

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
