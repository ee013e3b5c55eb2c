import { named } from "./named.ts";

/** What a refusal says, as the server sends it (RFC 9457). */
export interface Problem {
  code: string;
  status: number;
  detail: string;
  request_id: string | null;
  errors?: Record<string, string | string[]>;
  /** Of a change that waits for one. */
  approval?: unknown;
}

/** The server refused a request. */
export class FloatdeckError extends Error {
  static override readonly name: string = "FloatdeckError";

  declare readonly code: string;
  declare readonly status: number;
  declare readonly detail: string;
  declare readonly errors: Record<string, string | string[]>;
  declare readonly requestId: string | null;
  declare readonly idempotencyKey: string | undefined;
  declare readonly isFinal: boolean;
  declare readonly approval: unknown;
  declare readonly problem: Problem;

  constructor(problem: Problem, idempotencyKey: string | undefined, isFinal: boolean) {
    const { code, status, detail, errors = {}, request_id: requestId, approval } = problem;
    super(`${code}: ${detail}`);
    // Programs compare the name, so those of subclasses are the same.
    const kind = { name: FloatdeckError.name, idempotencyKey, isFinal, problem };
    Object.assign(this, kind, { code, status, detail, errors, requestId, approval });
  }
}

/** The server keeps a change until another person approves it. Nothing has moved. */
export const FloatdeckApprovalError = toKind("Approval");
export const FloatdeckInvalidRequestError = toKind("InvalidRequest");
export const FloatdeckAuthenticationError = toKind("Authentication");
export const FloatdeckPermissionError = toKind("Permission");
export const FloatdeckNotFoundError = toKind("NotFound");
export const FloatdeckConflictError = toKind("Conflict");
export const FloatdeckRateLimitError = toKind("RateLimit");
export const FloatdeckServerError = toKind("Server");

function toKind(kind: string): typeof FloatdeckError {
  return named(`Floatdeck${kind}Error`, class extends FloatdeckError {});
}

/** The class of refusals with a status. */
export function toRefusal(status: number): typeof FloatdeckError {
  return status < 500 ? (BY_STATUS[status] ?? FloatdeckInvalidRequestError) : FloatdeckServerError;
}

const BY_STATUS: Readonly<Record<number, typeof FloatdeckError>> = {
  202: FloatdeckApprovalError,
  401: FloatdeckAuthenticationError,
  403: FloatdeckPermissionError,
  404: FloatdeckNotFoundError,
  409: FloatdeckConflictError,
  412: FloatdeckConflictError,
  429: FloatdeckRateLimitError,
};

/** No answer arrived. A change may have been made: repeat it with the same idempotency key to find out. */
export class FloatdeckConnectionError extends Error {
  static override readonly name: string = "FloatdeckConnectionError";

  declare readonly idempotencyKey: string | undefined;

  constructor(message: string, idempotencyKey: string | undefined, cause?: unknown) {
    super(message, { cause });
    Object.assign(this, { name: FloatdeckConnectionError.name, idempotencyKey });
  }
}

export class FloatdeckTimeoutError extends FloatdeckConnectionError {
  static override readonly name = "FloatdeckTimeoutError";
}

/** The caller's signal ended the call. Programs know such an end by the name `AbortError`. */
export class FloatdeckAbortError extends FloatdeckConnectionError {
  static override readonly name = "FloatdeckAbortError";

  constructor(reason: unknown, idempotencyKey: string | undefined) {
    super(`The call was ended. ${String(reason)}`, idempotencyKey, reason);
    this.name = "AbortError";
  }
}
