import { hash } from "node:crypto";
import type { z } from "zod";
import type { Operation } from "#lib/operations/operation.ts";
import { toCanonicalJson, toComparable } from "#lib/api/edge/internal/canonical-json.ts";
import { readJson, receive } from "#lib/api/edge/internal/json.ts";
import type { Body as ReadBody } from "#lib/api/edge/internal/json.ts";
import { inTurn } from "#lib/api/edge/long-bodies.ts";
import { readQuery } from "#lib/api/edge/internal/read-query.ts";
import type { IdempotencyKey } from "#lib/api/commit/idempotency-keys.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import { toBodyLimits } from "#lib/api/edge/body-limits.ts";
import { validateLong } from "#lib/api/edge/internal/validate-long.ts";
import { toRefusal, validate } from "#lib/api/edge/validate.ts";
import { toPeriodErrors } from "#lib/api/contract/filters.ts";
import type { ReplayKey } from "#lib/api/commit/store.ts";
import type { Member } from "#lib/base/actor.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { toNetwork } from "#lib/base/ip-address.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";

/**
 * The validated input of an operation. `id` comes from the path: an id in lower case, or an
 * idempotency key as it was sent. It is empty when the path has none.
 */
export interface Input<Query extends z.ZodType, Body extends z.ZodType> {
  id: string;
  query: z.output<Query>;
  body: z.output<Body>;
}

/** The validated body of an operation that takes one. */
export type BodyOf<Declared extends { body: z.ZodType | null }> = z.output<
  NonNullable<Declared["body"]>
>;

/** A body as it was sent. */
export type Sent = ReadBody;

/**
 * The validated query and body of the request, and the body as sent.
 * @throws DomainError `validation_failed`, or the operation's own refusal of a malformed id.
 */
export async function readInput<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  context: RequestContext,
  operation: Operation<Q, B, A>,
  id: string,
): Promise<Input<Q, B> & { sent: Sent }> {
  if (operation.notFound && !isId(id)) {
    throw notFound(operation.notFound);
  }
  const query = () => readValidQuery(context, operation);
  const { body: schema } = operation;
  if (!schema) {
    // Without a body schema, B is never, so no one can read this.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { id, sent: NO_BODY, query: query(), body: undefined as z.output<B> };
  }
  const bytes = await receiveBody(context, operation);
  return inTurn({ sender: toSender(context), bytes: bytes.length }, async () => {
    const { errors, ...sent } = await readBody(context, operation, bytes);
    const judge = operation.large ? validateLong : validate;
    return {
      id,
      sent,
      query: query(),
      body: await judge(schema, sent.value, { operation, errors }),
    };
  });
}

/** @throws DomainError `validation_failed`, also for a period that ends before it begins. */
function readValidQuery<Q extends z.ZodType>(
  { url }: RequestContext,
  operation: Operation<Q>,
): z.output<Q> {
  const query = validate(operation.query, readQuery(url, operation.query), { operation });
  const errors = toPeriodErrors(query);
  if (errors) {
    throw toRefusal(new Map(Object.entries(errors)), { schema: operation.query, value: {} });
  }
  return query;
}

const NO_BODY = { text: "", value: undefined };

function receiveBody(context: RequestContext, operation: Operation): Promise<Uint8Array> {
  context.sent = { state: "malformed" };
  const limits = toBodyLimits(operation);
  return receive(context.request, { limits, sender: toSender(context) });
}

async function readBody(
  context: RequestContext,
  operation: Operation,
  bytes: Uint8Array,
): ReturnType<typeof readJson> {
  const body = await readJson(bytes, context.request.headers, {
    takesAnyText: operation.kind === "processor",
    limits: toBodyLimits(operation),
  });
  const { text, value } = body;
  context.sent = text === "" ? { state: "none" } : { state: "read", text, value };
  context.cardId = toCardId(value) ?? context.cardId;
  return body;
}

function toCardId(value: unknown): string | undefined {
  return value &&
    typeof value === "object" &&
    "card_id" in value &&
    typeof value.card_id === "string"
    ? value.card_id
    : undefined;
}

/** Who sends a body: the integrator or the card network's key; a network before anybody is known. */
function toSender({ credential, origin }: RequestContext): string {
  const actor = credential?.actor;
  return actor?.kind === "member"
    ? actor.integratorId
    : (credential?.apiKeyId ?? toNetwork(origin.address));
}

/**
 * The idempotency key of a change. Null when the caller sent none, or when the request or its
 * answer holds a secret that must not be stored.
 * @throws DomainError `idempotency_key_required`, `idempotency_key_malformed`.
 */
export function toIdempotencyKey(
  context: RequestContext,
  { operation, actor, sent }: { operation: Operation; actor: Member; sent: ReadBody },
): IdempotencyKey | null {
  const key = readIdempotencyKey(context.request);
  if (key === undefined && context.credential?.idempotencyRequired) {
    throw new DomainError(
      "idempotency_key_required",
      "This account requires an Idempotency-Key header on every change.",
    );
  }
  if (key === undefined || operation.secret) {
    return null;
  }
  return {
    scope: actor.integratorId,
    name: toIdempotencyName(actor.integratorId, key),
    ...toFingerprints(context, sent),
    operation: operation.id,
    sealed: operation.sealed,
    ...(operation.sealed ? { recipientId: actor.ref.id ?? undefined } : {}),
    mayReveal: mayReveal(context, actor),
  };
}

/** Whether the caller may see secrets that were shown to others: an owner, and a recent sign-in if it is a person. */
function mayReveal({ credential }: RequestContext, { staff }: Member): boolean {
  return credential?.isOwners === true && staff?.fresh !== false;
}

const IDEMPOTENCY_KEY = /^[\u0021-\u007e]{1,255}$/u;

/**
 * The value of the `Idempotency-Key` header, unquoted or quoted; undefined when there is none.
 * @throws DomainError `idempotency_key_malformed`.
 */
function readIdempotencyKey(request: Request): string | undefined {
  const key = findIdempotencyKey(request);
  if (key === undefined && request.headers.has("idempotency-key")) {
    throw new DomainError(
      "idempotency_key_malformed",
      "Idempotency-Key must be 1 to 255 visible ASCII characters, unquoted or in quotes.",
    );
  }
  return key;
}

/** Like `readIdempotencyKey`, but also undefined for a malformed key. */
export function findIdempotencyKey(request: Request): string | undefined {
  const header = request.headers.get("idempotency-key");
  const key = header && (/^"(?<quoted>.*)"$/u.exec(header)?.groups?.["quoted"] ?? header);
  return key && IDEMPOTENCY_KEY.test(key) ? key : undefined;
}

/**
 * An idempotency key in a path.
 * @throws DomainError `validation_failed` for text that cannot be the key of any request.
 */
export function requireIdempotencyKey(text: string): string {
  if (!IDEMPOTENCY_KEY.test(text)) {
    throw new DomainError("validation_failed", "The idempotency key in the path is malformed.", {
      key: ["This field must be 1 to 255 visible ASCII characters."],
    });
  }
  return text;
}

/**
 * The fingerprints of a request. Those of earlier versions are computed only when a stored answer's fingerprint
 * differs from the first.
 */
export function toFingerprints(
  { request: { method }, path }: { request: Request; path: string },
  { value, text }: ReadBody,
): Fingerprints {
  const canonical = value === undefined ? "" : toCanonicalJson(value);
  return {
    fingerprint: toFingerprint(method, path, canonical),
    toEarlierFingerprints: () => [toFingerprint(method, path, text)],
  };
}

/** Like `toFingerprints`, for a sender whose repeats may differ in white space and Unicode normalization. */
export function toLooseFingerprints(
  context: { request: Request; path: string },
  sent: ReadBody,
): Fingerprints {
  const { fingerprint } = toFingerprints(context, { ...sent, value: toComparable(sent.value) });
  return {
    fingerprint,
    toEarlierFingerprints: () => {
      const exact = toFingerprints(context, sent);
      return [exact.fingerprint, ...exact.toEarlierFingerprints()];
    },
  };
}

type Fingerprints = Pick<ReplayKey, "fingerprint" | "toEarlierFingerprints">;

function toFingerprint(method: string, path: string, body: string): string {
  return hash("sha256", `${method}\n${path}\n${body}`);
}
