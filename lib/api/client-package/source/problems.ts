/** What a refusal says, as the server sends it (RFC 9457). */
export interface Problem {
  code: string;
  status: number;
  title: string;
  detail: string;
  request_id: string;
  errors?: Record<string, string | string[]>;
}

/** The server refused a request. */
export class FloatdeckError extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: Record<string, string | string[]>;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  readonly isFinal: boolean;
  readonly problem: Problem;

  constructor(
    problem: Problem,
    { idempotencyKey, isFinal }: { idempotencyKey: string | undefined; isFinal: boolean },
  ) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = "FloatdeckError";
    this.code = problem.code;
    this.status = problem.status;
    this.detail = problem.detail;
    this.errors = problem.errors ?? {};
    this.requestId = problem.request_id;
    this.idempotencyKey = idempotencyKey;
    this.isFinal = isFinal;
    this.problem = problem;
  }
}

/** No answer arrived. A change may have been made: repeat it with the same idempotency key to find out. */
export class FloatdeckConnectionError extends Error {
  readonly idempotencyKey: string | undefined;

  constructor(message: string, options: { cause?: unknown; idempotencyKey?: string | undefined }) {
    super(message, { cause: options.cause });
    this.name = "FloatdeckConnectionError";
    this.idempotencyKey = options.idempotencyKey;
  }
}

export function isProblem(value: unknown): value is Problem {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    "detail" in value
  );
}
