import { z } from "zod";
import type { Scope } from "#lib/base/actor.ts";
import type { ApiVersion } from "#lib/base/api-versions.ts";
import type { ErrorCode, NotFoundCode } from "#lib/base/errors.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** That an operation will go, since when, and what to call instead. */
export interface Deprecation {
  /** The first version in which it counts as deprecated. */
  since: ApiVersion;
  at: Date;
  /** When it stops working; null while that is not decided. */
  sunset: Date | null;
  /** The path to call instead. */
  successor: `/${string}`;
}

/**
 * One operation of the interface, declared once: validation, types, behavior, the OpenAPI document and the generated
 * tests all come from here.
 */
export interface Operation<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  id: string;
  method: Method;
  /** Relative to `/api`; `{id}` stands for an id. */
  path: `/${string}`;
  summary: string;
  /**
   * What it runs in: a read, a transaction of its own, a batch of funds moves, a transaction under the card processor's
   * reference, or without a credential.
   */
  kind: "read" | "write" | "funds" | "processor" | "public";
  /** The scope a credential needs; null: none, or a signed-in person's own affairs. */
  scope: Scope | null;
  /** Only for a signed-in person, whatever scopes a key has. */
  staffOnly: boolean;
  /** The person must have proved who they are within the last minutes. */
  fresh: boolean;
  /** Request or answer hold a secret, so neither is kept: a repeat with the same idempotency key is done again. */
  secret: boolean;
  /** The version that brought it; null belongs to every version. */
  since: ApiVersion | null;
  deprecation: Deprecation | null;
  sandboxOnly: boolean;
  /** Its answer holds a secret: what is kept of it for repeats is sealed. */
  sealed: boolean;
  query: Query;
  /** Null: a body is neither expected nor read. */
  body: Body | null;
  status: 200 | 201;
  answer: Answer;
  /** Refusals particular to it; those that every operation shares are added where it is described. */
  errors: readonly ErrorCode[];
  /** What an id in the path that is nobody's is answered with; null where the path has none. */
  notFound: NotFoundCode | null;
}

const noQuery = z.strictObject({});

type Declared<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType> = Pick<
  Operation<Query, Body, Answer>,
  "id" | "method" | "path" | "summary" | "kind" | "scope" | "answer"
> &
  Partial<Operation<Query, Body, Answer>>;

/** Declares an operation; what is left out has its ordinary value. */
export function operation<
  Answer extends z.ZodType,
  Query extends z.ZodType = typeof noQuery,
  Body extends z.ZodType = z.ZodNever,
>(declared: Declared<Query, Body, Answer>): Operation<Query, Body, Answer> {
  return {
    staffOnly: false,
    fresh: false,
    secret: false,
    since: null,
    deprecation: null,
    sandboxOnly: false,
    sealed: false,
    // Used only where none is declared, which is when Query is the type of this very value.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    query: noQuery as unknown as Query,
    body: null,
    status: 200,
    errors: [],
    notFound: null,
    ...declared,
  };
}
