import { redactProblem } from "#lib/api/edge/internal/redact-problem.ts";
import { BYTES_MAX, redact } from "#lib/api/edge/internal/redact.ts";
import type { RedactedBody } from "#lib/api/edge/internal/redact.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import type { Answer } from "#lib/api/wire/answer.ts";
import { log } from "#lib/base/log.ts";
import { takeOwnToken, takeToken } from "#lib/base/rate.ts";
import { REFUSED_FROM } from "#lib/record/request-classes.ts";
import type { BodyState } from "#lib/record/request-classes.ts";

/**
 * The bodies of a request as the log stores them. Both texts are JSON, and both are null unless the state is `kept`.
 */
export interface KeptBodies {
  state: BodyState;
  request: string | null;
  response: string | null;
}

/**
 * How many requests of this process, and of one integrator, keep their bodies. Successes and failures are counted
 * separately, so that a busy account still has the bodies of its failures.
 */
const OF_INTEGRATOR = { perSecond: 20, burst: 40 } as const;
const OF_PROCESS = { perSecond: 200, burst: 400 } as const;

/** No answer of ours is longer except lists, and of those only the beginning would be kept. */
const ANSWER_LENGTH_MAX = 262_144;

/**
 * Decides whether the bodies of a request are kept. If so, they are redacted after the response has been sent, and then
 * added to the returned object.
 */
export function keepBodies(
  context: RequestContext,
  answer: Answer,
  hasRoom: () => boolean,
): KeptBodies {
  const bodies: KeptBodies = {
    state: toState(context, answer, hasRoom),
    request: null,
    response: null,
  };
  if (bodies.state === "kept") {
    setImmediate(() => complete(bodies, context, answer));
  }
  return bodies;
}

function toState(
  context: RequestContext,
  { status }: Answer,
  hasRoom: () => boolean,
): KeptBodies["state"] {
  const integratorId = findKeeper(context);
  if (integratorId === null) {
    return "off";
  }
  if (context.operation?.secret || context.operation?.sealed) {
    return "secret";
  }
  return hasRoom() && isWithinBounds(integratorId, status) ? "kept" : "limited";
}

/** The integrator, if it wants bodies to be kept. */
function findKeeper({ credential }: RequestContext): string | null {
  return credential?.logBodies && credential.actor.kind === "member"
    ? credential.actor.integratorId
    : null;
}

function isWithinBounds(integratorId: string, status: number): boolean {
  const kind = status < REFUSED_FROM ? "successes" : "failures";
  return (
    takeToken(`bodies of ${kind} ${integratorId}`, OF_INTEGRATOR).allowed &&
    takeOwnToken("bodies", OF_PROCESS).allowed
  );
}

function complete(bodies: KeptBodies, context: RequestContext, answer: Answer): void {
  try {
    const response = toText(redactAnswer(context, answer), answer.body);
    const sent = context.sent.state === "read" ? context.sent.text : "";
    bodies.request = toText(redactSent(context), sent);
    bodies.response = response;
  } catch (error) {
    bodies.state = "limited";
    log.error({ err: error, requestId: context.origin.id }, "Could not redact a body.");
  }
}

/** A body, or why there is none. */
type Kept = RedactedBody | "none" | "unread" | "malformed" | "cut";

function redactSent({ operation, sent }: RequestContext): Kept {
  if (sent.state !== "read") {
    return sent.state;
  }
  return operation?.body ? redact(operation.body, sent.value) : "none";
}

function redactAnswer({ operation }: RequestContext, answer: Answer): Kept {
  if (answer.body === "" || !/^application\/(?:problem\+)?json/u.test(answer.contentType)) {
    return "none";
  }
  if (answer.body.length > ANSWER_LENGTH_MAX) {
    return "cut";
  }
  const value: unknown = JSON.parse(answer.body);
  if (answer.status >= REFUSED_FROM) {
    return redactProblem(operation, value);
  }
  return operation ? redact(operation.answer, value) : "none";
}

/** @param exact the body as it was sent or answered, used when all of it may be kept. */
function toText(kept: Kept, exact: string): string {
  if (typeof kept === "string") {
    return JSON.stringify({ form: kept === "cut" ? "truncated" : kept, unknown_members: 0 });
  }
  const { body, isCut, isRedacted, unknownMembers } = kept;
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > BYTES_MAX) {
    // The sentences of a problem are not counted while it is redacted.
    return toText("cut", exact);
  }
  if (isCut || isRedacted || unknownMembers > 0) {
    const form = isCut ? "truncated" : "redacted";
    return JSON.stringify({ form, unknown_members: unknownMembers, body });
  }
  const isShort = Buffer.byteLength(exact) <= BYTES_MAX;
  return JSON.stringify({
    form: "whole",
    unknown_members: 0,
    ...(isShort ? { text: exact } : { body }),
  });
}
