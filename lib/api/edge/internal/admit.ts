import { requireScope, requireStaff } from "#lib/base/require-scope.ts";
import type { Member, Processor, StaffIdentity } from "#lib/base/actor.ts";
import { noteDeprecatedUse, noteKeyUse } from "#lib/api/edge/api-log.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { isAtLeast } from "#lib/api/edge/internal/request-context.ts";
import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import { requireJsonType } from "#lib/api/edge/internal/json.ts";
import { countRequest, SIMULATE_LIMIT } from "#lib/api/edge/limits.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import { authenticate } from "#lib/auth/authenticate.ts";
import type { Credential } from "#lib/auth/authenticate.ts";
import { isOwnOrigin } from "#lib/auth/session.ts";
import { env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";
import { database } from "#db/client.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Admits a request: resolves the caller and the API version, counts the request, and checks the caller's permission.
 * @throws DomainError for whichever check fails.
 */
export async function admit(context: RequestContext, operation: Operation): Promise<Member> {
  const caller = await identify(context, operation);
  if (caller.kind === "member") {
    requireWithinLimit(context, caller);
  }
  const actor = requireAllowed(caller, operation);
  requireOwners(context.credential, operation);
  noteDeprecation(context, operation, actor.integratorId);
  requireNotSunset(operation);
  return actor;
}

/**
 * Like `admit`, for operations reserved for the card processor.
 * @throws DomainError for whichever check fails.
 */
export async function admitProcessor(
  context: RequestContext,
  operation: Operation,
): Promise<{ actor: Processor; apiKeyId: string }> {
  const actor = await identify(context, operation);
  if (operation.scope) {
    requireScope(actor, operation.scope);
  }
  const apiKeyId = context.credential?.apiKeyId;
  if (actor.kind !== "processor" || !apiKeyId) {
    throw new DomainError("scope_missing", "Only a card processor key may do this.");
  }
  return { actor, apiKeyId };
}

async function identify(
  context: RequestContext,
  operation: Operation,
): Promise<Member | Processor> {
  const { environment, cell } = env();
  const from = { environment, cell, address: context.origin.address };
  const credential = await authenticate(database(), context.request, from);
  context.credential = credential;
  if (credential.apiKeyId !== null) {
    noteKeyUse(credential.apiKeyId);
  } else {
    // Check after the caller is known, so that a refusal is recorded under that person.
    requireOwnPage(context.request);
  }
  selectVersion(context, operation, credential.pinnedVersion);
  return credential.actor;
}

/**
 * Requires that a change made with a session cookie comes from our own pages and that its body is
 * JSON. Browsers also send the cookie with requests from other sites, whose forms can send any
 * other content type.
 * @throws DomainError `origin_refused`, `content_type_unsupported`.
 */
function requireOwnPage(request: Request): void {
  if (SAFE_METHODS.has(request.method)) {
    return;
  }
  if (!isOwnOrigin(request)) {
    throw new DomainError(
      "origin_refused",
      "A change with a session cookie must come from this server's own pages. Programs use an API key.",
    );
  }
  const type = request.headers.get("content-type");
  if (type !== null) {
    requireJsonType(type);
  }
}

/** @throws DomainError `rate_limited`, `validation_failed` for an invalid simulated limit. */
function requireWithinLimit(context: RequestContext, { integratorId }: Member): void {
  const simulated = context.request.headers.get(SIMULATE_LIMIT);
  const { headers, refusal } = countRequest(integratorId, simulated);
  context.headers = { ...context.headers, ...headers };
  if (refusal) {
    throw refusal;
  }
}

/** @throws DomainError `scope_missing`, `second_factor_required`, `fresh_sign_in_required`. */
function requireAllowed(actor: Member | Processor, operation: Operation): Member {
  const mustEnroll = actor.kind === "member" && actor.staff?.mustEnroll;
  if (mustEnroll && operation.scope) {
    throw new DomainError(
      "second_factor_required",
      "This account requires two-factor authentication. Set it up first, under Settings > Security.",
    );
  }
  if (operation.scope) {
    requireScope(actor, operation.scope);
  }
  if (actor.kind !== "member") {
    throw new DomainError("scope_missing", "A card processor key cannot do this.");
  }
  const staff = operation.staffOnly ? requireStaff(actor) : actor.staff;
  if (staff) {
    requireFreshness(staff, operation);
  }
  return actor;
}

/** @throws DomainError `role_insufficient`. */
function requireOwners(credential: Credential | null, { ownerOnly }: Operation): void {
  if (ownerOnly && !credential?.isOwners) {
    throw new DomainError(
      "role_insufficient",
      "Only owners can do this, and API keys that an owner created.",
    );
  }
}

function requireFreshness({ fresh }: StaffIdentity, operation: Operation): void {
  if (operation.fresh && !fresh) {
    throw new DomainError(
      "fresh_sign_in_required",
      "Confirm your password first: this requires a sign-in within the last five minutes.",
    );
  }
}

function noteDeprecation(
  context: RequestContext,
  operation: Operation,
  integratorId: string,
): void {
  const { deprecation } = operation;
  const apiKeyId = context.credential?.apiKeyId;
  if (apiKeyId && deprecation && isAtLeast(context.version, deprecation.since)) {
    noteDeprecatedUse({ integratorId, apiKeyId, operation: operation.id });
  }
}

/** @throws DomainError `sunset`. */
function requireNotSunset({ method, deprecation }: Operation): void {
  if (deprecation?.sunset && deprecation.sunset.getTime() <= Date.now()) {
    throw new DomainError(
      "sunset",
      `This operation was removed on ${deprecation.sunset.toISOString()}. Call ${method} /api${deprecation.successor} instead.`,
    );
  }
}

/** @throws DomainError `version_unknown`, `not_in_version`. */
export function selectVersion(
  context: RequestContext,
  operation: Operation,
  pinned: RequestContext["version"] | null,
): void {
  const requested = context.request.headers.get("api-version");
  // The specification writes versions with a leading "v".
  const version =
    requested === null
      ? pinned
      : API_VERSIONS.find((known) => known === requested || `v${known}` === requested);
  if (version === undefined) {
    throw new DomainError(
      "version_unknown",
      `Api-Version must be one of ${API_VERSIONS.join(", ")}; ${JSON.stringify(requested)} is not.`,
    );
  }
  context.version = version ?? context.version;
  if (operation.since && !isAtLeast(context.version, operation.since)) {
    throw new DomainError(
      "not_in_version",
      `This operation was added in version ${operation.since}; the request uses ${context.version}.`,
    );
  }
}
