import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { Operation } from "#lib/operations/operation.ts";
import type { Refusal } from "#lib/api/wire/problem.ts";
import { isStorable, toProblem } from "#lib/api/wire/problem.ts";
import { PROBLEMS } from "#lib/base/error-codes.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";
import { toPrintable } from "#lib/base/printable.ts";
import { REFUSED_FROM } from "#lib/record/request-classes.ts";

/** The answer to a request, as text: a stored answer is repeated byte for byte. */
export interface Answer {
  status: number;
  contentType: string;
  body: string;
  /** The refusal's code, for the API log. */
  code: ErrorCode | null;
  detail: string | null;
  replayed: boolean;
  headers: Readonly<Record<string, string>>;
}

/** An answer of any length, streamed as it is produced and never stored. */
export interface StreamedAnswer extends Answer {
  stream: ReadableStream<Uint8Array>;
}

/** An answer as it is sent. */
export interface WireAnswer {
  status: number;
  /** By their names in lower case. */
  headers: Record<string, string>;
  /** Null for an answer that has none, such as 304. */
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

/** An answer before it is written as JSON. One that consists of stored JSON is `text`, and sent as it is. */
export type Reply<AnswerSchema extends z.ZodType> = (
  | { body: z.input<AnswerSchema> }
  | { text: string }
) & {
  headers?: Readonly<Record<string, string>>;
};

const RETRY_AFTER_S = 1;
/**
 * The detail of a refusal may quote the caller. Text beyond this length is cut off in the answer, the log, and the
 * stored answer.
 */
const DETAIL_MAX = 500;

let isChecked = false;

/** Requires that each answer matches its contract. For tests: it costs more than making the answer. */
export function checkAnswers(): void {
  isChecked = true;
}

/** The answer of an operation. */
export function toAnswer<A extends z.ZodType>(
  operation: Operation<z.ZodType, z.ZodType, A>,
  reply: Reply<A>,
): Answer {
  const text = "text" in reply ? reply.text : JSON.stringify(reply.body);
  if (isChecked) {
    requireDeclared(operation, JSON.parse(text));
  }
  return toJsonTextAnswer(operation.status, text, reply.headers);
}

/** The contract describes an answer, so parsing one must also leave it as it is. */
function requireDeclared({ id, answer }: Operation, value: unknown): void {
  if (!isDeepStrictEqual(answer.parse(value), value)) {
    throw new Error(`The contract of ${id} would change an answer.`);
  }
}

export function toJsonAnswer(
  status: number,
  value: unknown,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return toJsonTextAnswer(status, JSON.stringify(value), headers);
}

function toJsonTextAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    contentType: "application/json; charset=utf-8",
    body,
    code: null,
    detail: null,
    replayed: false,
    headers,
  };
}

/** An earlier answer, repeated byte for byte. */
export function toReplayedAnswer({
  status,
  contentType,
  body,
}: Pick<Answer, "status" | "contentType" | "body">): Answer {
  return { status, contentType, body, code: null, detail: null, replayed: true, headers: {} };
}

/** Whether the response is stored for repeats: successes and business refusals (409, 422), not validation errors. */
export function isKept({ code }: Answer): boolean {
  return code === null || isStorable(code);
}

export function toTextAnswer(text: string): Answer {
  return { ...toJsonAnswer(200, text), contentType: "text/plain; charset=utf-8", body: text };
}

export function toProblemAnswer(
  refusal: Refusal,
  at: { instance: string; requestId: string },
): Answer {
  const { status } = PROBLEMS[refusal.code];
  const detail = toPrintable(refusal.detail, DETAIL_MAX);
  return {
    status,
    contentType: "application/problem+json; charset=utf-8",
    body: JSON.stringify(toProblem({ ...refusal, detail }, at)),
    code: refusal.code,
    detail,
    replayed: false,
    headers: toRefusalHeaders(refusal, status),
  };
}

function toRefusalHeaders(refusal: Refusal, status: number): Record<string, string> {
  if (status === 401) {
    return { "WWW-Authenticate": 'Bearer realm="floatdeck"' };
  }
  return PROBLEMS[refusal.code].passing ? { "Retry-After": String(RETRY_AFTER_S) } : {};
}

/**
 * The code and the detail of a refusal; null for a success. A repeated answer is only stored text, so they are read
 * from it.
 */
export function refusalOf({ code, detail, replayed, status, body }: Answer): {
  code: string | null;
  detail: string | null;
} {
  if (!replayed || status < REFUSED_FROM) {
    return { code, detail };
  }
  const problem: Partial<Record<"code" | "detail", unknown>> = JSON.parse(body);
  return { code: toText(problem.code), detail: toText(problem.detail) };
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
