import { z } from "zod";
import type { Scope } from "#lib/base/actor.ts";
import type { ApiVersion } from "#lib/base/api-versions.ts";
import type { NotFoundCode } from "#lib/base/errors.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Marks an operation as deprecated: since when, until when, and what to call instead. */
export interface Deprecation {
  /** The first version in which the operation is deprecated. */
  since: ApiVersion;
  at: Date;
  /** When it stops working; null until that is decided. */
  sunset: Date | null;
  /** The path to call instead. */
  successor: `/${string}`;
  /** A body that the successor accepts for this card. */
  toSuccessorBody(cardId: string): Readonly<Record<string, unknown>>;
}

/** The state that an example needs in addition to the records whose ids from `samples.ts` it contains. */
export type Need =
  | "archived cardholder"
  | "authenticator app"
  | "frozen card"
  | "invitation"
  | "stored response"
  | "logged request"
  | "notification in the inbox"
  | "password"
  | "password reset"
  | "purchase"
  | "second factor";

/** A request that the real server answers with success. Tests send each one, and use the first where any will do. */
export interface Example {
  needs?: Need;
  /** The id or key in the path. */
  id?: string;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  /** What the answer looks like. */
  answer?: unknown;
}

/** The example that the reference shows. */
export interface ShownExample extends Example {
  answer: unknown;
}

/**
 * One operation of the API, declared once. Validation, types, behavior, the OpenAPI document, and
 * the generated tests all derive from it.
 */
export interface Operation<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Code extends ErrorCode = ErrorCode,
> {
  id: string;
  method: Method;
  /** Relative to `/api`; `{id}` stands for an id, `{key}` for an idempotency key. */
  path: `/${string}`;
  summary: string;
  /** What the reference says beyond the summary. */
  description: string;
  /**
   * The attempt in words, as it follows "tried to": `freeze {card}`. Null unless the operation changes something and
   * has a credential of the account.
   */
  attempt: string | null;
  /**
   * How the operation runs: as a read, in its own transaction, in a batch of fund movements, in a
   * transaction keyed by the card processor's reference, or without a credential.
   */
  kind: "read" | "write" | "funds" | "processor" | "public";
  /**
   * The scope a credential needs; null when it needs none, or when the operation is about the signed-in person's own
   * settings.
   */
  scope: Scope | null;
  /** Only for a signed-in person, whatever scopes a key has. */
  staffOnly: boolean;
  /** Only for owners, and for keys that an owner made. */
  ownerOnly: boolean;
  /** A person must have authenticated within the last few minutes; a key need not. */
  fresh: boolean;
  /**
   * The request or the answer contains a secret, so neither is stored: a repeat with the same
   * idempotency key runs again.
   */
  secret: boolean;
  /** The version that introduced it; null when every version has it. */
  since: ApiVersion | null;
  deprecation: Deprecation | null;
  sandboxOnly: boolean;
  /**
   * The response contains a secret: the stored copy is encrypted, and returned only to the first caller and to callers
   * who may reveal secrets.
   */
  sealed: boolean;
  /** Whether the API log lists its requests. It does not list requests that pages send automatically. */
  logged: boolean;
  /**
   * The answer is one resource, with an entity tag. A read answers 304 when the client has it already; a change takes
   * If-Match.
   */
  tagged: boolean;
  /** Caches may keep the answer for a moment. Every other answer is no-store. */
  cached: boolean;
  /** The body is about many records: it may have 1 MiB and 40,000 members instead of 64 KiB and 200. */
  large: boolean;
  /**
   * When somebody else must approve it, in an account with a threshold: because of the amount that it moves, or of the
   * people to whom it gives the right to approve. The answer is then 202, and `performApproved` says how it runs.
   */
  approval: "amount" | "trust" | null;
  /** The answer has a Link header that names the next page. */
  linked: boolean;
  query: Query;
  /** Null: a body is neither expected nor read. */
  body: Body | null;
  status: 200 | 201 | 202;
  answer: Answer;
  /**
   * Refusals specific to this operation. Those that every operation shares are added when it is
   * described.
   */
  errors: readonly Code[];
  /** The error for an unknown id in the path; null when the path has no id. */
  notFound: NotFoundCode | null;
  /** One for each way in which the operation works differently. The reference shows the first. */
  examples: readonly [ShownExample, ...Example[]];
}

const noQuery = z.strictObject({});

type Declared<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Code extends ErrorCode,
> = Pick<
  Operation<Query, Body, Answer, Code>,
  "id" | "method" | "path" | "summary" | "description" | "kind" | "scope" | "answer" | "examples"
> &
  Partial<Operation<Query, Body, Answer, Code>>;

/** Declares an operation, with defaults for omitted members. */
export function operation<
  Answer extends z.ZodType,
  Query extends z.ZodType = typeof noQuery,
  Body extends z.ZodType = z.ZodNever,
  const Code extends ErrorCode = never,
>(declared: Declared<Query, Body, Answer, Code>): Operation<Query, Body, Answer, Code> {
  return {
    attempt: null,
    staffOnly: false,
    ownerOnly: false,
    fresh: false,
    secret: false,
    since: null,
    deprecation: null,
    sandboxOnly: false,
    sealed: false,
    logged: true,
    tagged: false,
    cached: false,
    large: false,
    approval: null,
    linked: false,
    // Used only when no query is declared, and then Query is the type of this value.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    query: noQuery as unknown as Query,
    body: null,
    status: 200,
    errors: [],
    notFound: null,
    ...declared,
  };
}
