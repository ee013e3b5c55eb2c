import { and, eq, exists, gt, isNull, or, sql } from "drizzle-orm";
import type { Member, Processor } from "#lib/base/actor.ts";
import { toGranted } from "#lib/base/actor.ts";
import { hashApiKey, readCell, toKeyFault } from "#lib/access/key-text.ts";
import type { CredentialChange } from "#lib/access/credential-changes.ts";
import type { ApiVersion } from "#lib/base/api-versions.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import type { Env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";
import { STAFF_ID_HEADER, STAFF_ID_PARAMETER } from "#lib/base/page-person.ts";
import { countBadKey, lookUpCounted } from "#lib/auth/internal/key-guesses.ts";
import { findSessionByCookies } from "#lib/auth/session.ts";
import { NOW } from "#db/schema/columns.ts";
import { apiKeys, integrators } from "#db/schema/integrators.ts";
import { staff } from "#db/schema/staff.ts";
import type { Db } from "#db/client.ts";
import { inTime } from "#db/transaction.ts";

/** A valid credential: its actor, and its account's settings that apply to every request. */
export interface Credential {
  actor: Member | Processor;
  /** Null for a signed-in person. */
  apiKeyId: string | null;
  /**
   * Whether it may do what is reserved for owners: an owner is signed in, or the key was created by a current owner, at
   * registration, or by the operator.
   */
  isOwners: boolean;
  pinnedVersion: ApiVersion | null;
  idempotencyRequired: boolean;
  /** Whether the API log keeps the bodies of its account's requests. */
  logBodies: boolean;
}

/** Where a request was received, and the network address that it came from. */
type Sender = Pick<Env, "environment" | "cell"> & { address: string | null };

/** Every server refuses a revoked key within this time, even one that missed the announcement. */
const CACHE_MS = 5_000;
const CACHE_MAX = 10_000;

const cache = new Map<string, { credential: Credential; until: number }>();
/**
 * How many times entries were dropped from the cache. A read that started before a drop may be stale, so it is not
 * cached.
 */
let forgotten = 0;

/**
 * Finds the actor for `Authorization: Bearer <API key>` or, without that header, for a session cookie.
 * @throws DomainError `credential_missing`, `session_changed`, `credential_invalid`, `cell_elsewhere`, `rate_limited`
 *   after too many bad keys.
 *   DatabaseFailure `database_unavailable` when a credential that is not cached cannot be read in time.
 */
export async function authenticate(db: Db, request: Request, from: Sender): Promise<Credential> {
  const header = request.headers.get("authorization");
  return header === null ? authenticateSession(db, request) : authenticateKey(db, header, from);
}

async function authenticateSession(db: Db, request: Request): Promise<Credential> {
  const session = await inTime(() => findSessionByCookies(db, request.headers.get("cookie")));
  if (!session) {
    throw new DomainError(
      "credential_missing",
      "Send Authorization: Bearer <API key>, or sign in.",
    );
  }
  requireSamePerson(request, session.actor.staff.id);
  return {
    actor: session.actor,
    apiKeyId: null,
    isOwners: session.actor.staff.role === "owner",
    pinnedVersion: API_VERSIONS.find((version) => version === session.apiVersion) ?? null,
    idempotencyRequired: session.idempotencyRequired,
    logBodies: session.logBodies,
  };
}

/**
 * Requires that the request comes from a page that was made for the signed-in person. Tabs share one cookie: when one
 * of them signs in to another account, the pages in the others would read and change that account.
 * @throws DomainError `session_changed`, also when the request does not say whose page it comes from.
 */
function requireSamePerson({ headers, url }: Request, staffId: string): void {
  // A link cannot send a header.
  const pageStaffId =
    headers.get(STAFF_ID_HEADER) ?? new URL(url).searchParams.get(STAFF_ID_PARAMETER);
  if (pageStaffId !== staffId) {
    throw new DomainError(
      "session_changed",
      "This page was not made for the person who is signed in now. Nothing was done. Reload the page.",
    );
  }
}

async function authenticateKey(db: Db, header: string, from: Sender): Promise<Credential> {
  const key = /^Bearer +(?<key>\S+) *$/iu.exec(header)?.groups?.["key"];
  if (key === undefined) {
    countBadKey(from.address);
    throw new DomainError(
      "credential_invalid",
      "The Authorization header must have the scheme Bearer: Authorization: Bearer <API key>.",
    );
  }
  const credential = await findCounted(db, key, from);
  if (!credential) {
    throw new DomainError(
      "credential_invalid",
      toKeyFault(key, from) ?? "This API key is unknown, expired, or revoked.",
    );
  }
  return credential;
}

/** @throws DomainError `cell_elsewhere`, `rate_limited`. */
async function findCounted(
  db: Db,
  key: string,
  { environment, cell, address }: Sender,
): Promise<Credential | undefined> {
  const own = readCell(key, environment);
  if (own === undefined) {
    countBadKey(address);
    return undefined;
  }
  if (own !== cell) {
    // Not counted: it is a good key, only sent to the wrong server.
    throw new DomainError(
      "cell_elsewhere",
      `This API key belongs to cell ${own}, and this server to cell ${cell}. Send the request to a server of cell ${own}.`,
    );
  }
  const hash = hashApiKey(key);
  return findCached(hash) ?? inTime(() => readCounted(db, hash, address));
}

/** Reads a key that is not cached, or whose cached entry has expired. */
async function readCounted(
  db: Db,
  hash: string,
  address: string | null,
): Promise<Credential | undefined> {
  // A verified key is not a guess: it works whatever else its address sends.
  if (!cache.has(hash)) {
    return lookUpCounted(address, async () => findCached(hash) ?? readToCache(db, hash));
  }
  const credential = await readToCache(db, hash);
  if (!credential) {
    countBadKey(address);
  }
  return credential;
}

/**
 * Drops an integrator's keys from the cache, or those of the card network, so that a change to them or to the
 * integrator's settings applies from the next request. Call it after the change has committed: a read before that
 * returns the old state.
 */
export function forgetCredentials({ integratorId }: CredentialChange): void {
  forgotten += 1;
  for (const [hash, { credential }] of cache) {
    const { actor } = credential;
    if ((actor.kind === "member" ? actor.integratorId : null) === integratorId) {
      cache.delete(hash);
    }
  }
}

/** Drops all keys from the cache. */
export function forgetAllCredentials(): void {
  forgotten += 1;
  cache.clear();
}

function findCached(hash: string): Credential | undefined {
  const cached = cache.get(hash);
  return cached && cached.until > Date.now() ? cached.credential : undefined;
}

async function readToCache(db: Db, hash: string): Promise<Credential | undefined> {
  const forgottenBefore = forgotten;
  // Measured from before the read, because the answer may be outdated when it arrives.
  const until = Date.now() + CACHE_MS;
  const credential = await read(db, hash);
  if (!credential) {
    cache.delete(hash);
  }
  if (credential && forgotten === forgottenBefore) {
    if (cache.size >= CACHE_MAX) {
      cache.clear();
    }
    cache.set(hash, { credential, until });
  }
  return credential;
}

async function read(db: Db, hash: string): Promise<Credential | undefined> {
  const maker = db
    .select({ id: staff.id })
    .from(staff)
    .where(
      and(
        eq(staff.integratorId, apiKeys.integratorId),
        eq(staff.id, apiKeys.makerId),
        eq(staff.role, "owner"),
        isNull(staff.removedAt),
      ),
    );
  const [row] = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      integratorId: apiKeys.integratorId,
      scopes: apiKeys.scopes,
      isOwners: sql<boolean>`${apiKeys.makerId} is null or ${exists(maker)}`,
      apiVersion: integrators.apiVersion,
      idempotencyRequired: integrators.idempotencyRequired,
      logBodies: integrators.logBodies,
    })
    .from(apiKeys)
    .leftJoin(integrators, eq(integrators.id, apiKeys.integratorId))
    .where(
      and(
        eq(apiKeys.hash, hash),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`${NOW}`)),
      ),
    );
  if (!row) {
    return undefined;
  }
  const scopes = toGranted(row.scopes);
  const actor: Member | Processor =
    row.integratorId === null
      ? { kind: "processor", scopes, ref: { type: "processor", id: row.id, name: row.name } }
      : {
          kind: "member",
          integratorId: row.integratorId,
          scopes,
          ref: { type: "api_key", id: row.id, name: row.name },
        };
  return {
    actor,
    apiKeyId: row.id,
    isOwners: row.isOwners,
    pinnedVersion: API_VERSIONS.find((version) => version === row.apiVersion) ?? null,
    idempotencyRequired: row.idempotencyRequired ?? false,
    logBodies: row.logBodies ?? false,
  };
}
