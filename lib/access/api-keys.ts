import { and, desc, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import { KEY_SCOPES } from "#lib/base/actor.ts";
import type { Scope, TenantActor } from "#lib/base/actor.ts";
import { hashApiKey, newKey, toKeyEnds } from "#lib/access/key-text.ts";
import { announceCredentialChange } from "#lib/access/credential-changes.ts";
import { apiKeyCreated } from "#lib/messages/kinds/api-key-created.ts";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { env } from "#lib/base/env.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { apiKeys, integrators } from "#db/schema/integrators.ts";
import { NOW } from "#db/schema/columns.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** The key to create. A key without an integrator belongs to the card processor. */
export interface NewApiKey {
  integratorId: string | null;
  environment: "sandbox" | "live";
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  createdBy: string;
  /** The member of staff who creates it. */
  makerId?: string;
}

/** Creates and stores a key. `key` itself is neither stored nor logged, so it can be shown only now. */
export async function createApiKey(tx: Tx, input: NewApiKey): Promise<{ id: string; key: string }> {
  const key = newKey({ environment: input.environment, cell: env().cell });
  const moment = await readMoment(tx);
  const id = moment.newId();
  markCommit(tx, sql`exists (select from api_keys where id = ${id})`);
  await tx.insert(apiKeys).values({
    id,
    integratorId: input.integratorId,
    name: input.name,
    hash: hashApiKey(key),
    ...toKeyEnds(key),
    scopes: [...input.scopes],
    expiresAt: input.expiresAt,
    createdBy: input.createdBy,
    makerId: input.makerId ?? null,
    createdAt: moment.at,
  });
  return { id, key };
}

/** A key without its secret. */
export type ApiKey = Omit<
  typeof apiKeys.$inferSelect,
  "hash" | "integratorId" | "makerId" | "endAnnouncedAt"
>;

const KEYS_MAX = 500;

/** The integrator's keys, newest first, including revoked ones. */
export async function listApiKeys(ctx: ReadContext): Promise<ApiKey[]> {
  return ctx.db
    .select(KEY_COLUMNS)
    .from(apiKeys)
    .where(eq(apiKeys.integratorId, ctx.actor.integratorId))
    .orderBy(desc(apiKeys.id))
    .limit(KEYS_MAX);
}

/**
 * The keys that work now and that members of staff created.
 * @param makerId the member of staff; all members if absent.
 */
export async function listWorkingKeys(
  ctx: ReadContext,
  makerId?: string,
): Promise<{ makerId: string; key: ApiKey }[]> {
  const rows = await ctx.db
    .select({ makerId: apiKeys.makerId, key: KEY_COLUMNS })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.integratorId, ctx.actor.integratorId),
        makerId === undefined ? isNotNull(apiKeys.makerId) : eq(apiKeys.makerId, makerId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, NOW)),
      ),
    )
    .orderBy(desc(apiKeys.id))
    .limit(KEYS_MAX);
  return rows.map(({ makerId: maker, key }) => ({ makerId: maker ?? "", key }));
}

interface KeyInput {
  name: string;
  scopes: readonly Scope[];
}

/** A new key: its API representation, and the key itself. */
export interface IssuedKey {
  apiKey: ApiKey;
  key: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Creates a key for the integrator. `key` is shown only this once.
 * @param input `expiresInDays` null for a key that does not expire.
 * @throws DomainError `role_insufficient` for a scope that the person does not have.
 */
export async function issueApiKey(
  ctx: WriteContext,
  { expiresInDays: days, ...input }: KeyInput & { expiresInDays: number | null },
): Promise<IssuedKey> {
  const expiresAt =
    days === null ? null : new Date((await readMoment(ctx.tx)).at.getTime() + days * DAY_MS);
  return issue(ctx, { ...input, expiresAt });
}

/**
 * Replaces a key by a new one with the same name, scopes, and lifetime. `key` is shown only this once.
 * @param overlapDays how long the old key continues to work, but never past its own expiry. With 0, it is revoked.
 * @throws DomainError `api_key_not_found`, `api_key_inactive`; `role_insufficient` for a scope that the person does not
 * have.
 */
export async function rotateApiKey(
  ctx: WriteContext,
  id: string,
  overlapDays: number,
): Promise<IssuedKey> {
  const { tx, actor } = ctx;
  const { key: old, at } = await lockActiveKey(ctx, id);
  const livesMs = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
  const issued = await issue(ctx, {
    name: old.name,
    scopes: old.scopes.flatMap((scope) => KEY_SCOPES.filter((each) => each === scope)),
    expiresAt: livesMs === null ? null : new Date(at.getTime() + livesMs),
  });
  const end = new Date(at.getTime() + overlapDays * DAY_MS);
  const expiresAt = old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end;
  await tx
    .update(apiKeys)
    .set(overlapDays === 0 ? { revokedAt: NOW } : { expiresAt, endAnnouncedAt: null })
    .where(toOwnKey(actor, id));
  await announceCredentialChange(tx, actor);
  await auditRotation(ctx, old, { expiresAt, replacedBy: issued.apiKey.id });
  return issued;
}

/**
 * Locks a key that works now.
 * @throws DomainError `api_key_not_found`, `api_key_inactive`.
 */
export async function lockActiveKey(
  { tx, actor }: WriteContext,
  id: string,
): Promise<{ key: ApiKey; at: Date }> {
  const [key] = isId(id)
    ? await tx.select(KEY_COLUMNS).from(apiKeys).where(toOwnKey(actor, id)).for("update")
    : [];
  if (!key) {
    throw notFound("api_key_not_found");
  }
  const { at } = await readMoment(tx);
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= at)) {
    const how = key.revokedAt === null ? "has expired" : "is revoked";
    throw new DomainError("api_key_inactive", `This API key ${how}. Create a new one.`);
  }
  return { key, at };
}

function toOwnKey({ integratorId }: TenantActor, id: string) {
  return and(eq(apiKeys.integratorId, integratorId), eq(apiKeys.id, id));
}

async function auditRotation(
  { tx, actor, request }: WriteContext,
  old: ApiKey,
  { expiresAt, replacedBy }: { expiresAt: Date; replacedBy: string },
): Promise<void> {
  await recordAudit(tx, actor.integratorId, [
    {
      actor: actor.ref,
      request,
      action: "api_key.rotated",
      targetType: "api_key",
      targetId: old.id,
      before: { name: old.name, expires_at: old.expiresAt?.toISOString() ?? null },
      after: { expires_at: expiresAt.toISOString(), replaced_by: replacedBy },
    },
  ]);
}

async function issue(
  ctx: WriteContext,
  input: KeyInput & { expiresAt: Date | null },
): Promise<IssuedKey> {
  const { tx, actor, request } = ctx;
  requireGrantable(actor, input.scopes);
  const [integrator] = await tx
    .select({ environment: integrators.environment })
    .from(integrators)
    .where(eq(integrators.id, actor.integratorId));
  if (!integrator) {
    throw new Error(`Integrator ${actor.integratorId} does not exist.`);
  }
  const { id, key } = await createApiKey(tx, {
    integratorId: actor.integratorId,
    environment: integrator.environment,
    name: input.name,
    scopes: input.scopes,
    expiresAt: input.expiresAt,
    createdBy: actor.ref.name,
    ...(actor.staff ? { makerId: actor.staff.id } : {}),
  });
  await recordAudit(tx, actor.integratorId, [
    {
      actor: actor.ref,
      request,
      action: "api_key.created",
      targetType: "api_key",
      targetId: id,
      before: null,
      after: { name: input.name, scopes: input.scopes },
    },
  ]);
  await tellStaff(tx, actor.integratorId, {
    kind: apiKeyCreated,
    facts: { name: input.name, by: actor.ref.name, scopes: input.scopes.join(", ") },
    personId: actor.staff?.id ?? null,
  });
  const [apiKey] = await tx.select(KEY_COLUMNS).from(apiKeys).where(toOwnKey(actor, id));
  if (!apiKey) {
    throw new Error(`API key ${id} was created but cannot be read.`);
  }
  return { apiKey, key };
}

/** Nobody may create a key that can do more than they can. */
function requireGrantable({ staff }: TenantActor, scopes: readonly Scope[]): void {
  for (const scope of scopes) {
    const reason = staff ? roleDisabledReason(staff.role, scope) : null;
    if (reason) {
      throw new DomainError("role_insufficient", `A key with the scope ${scope}: ${reason}`);
    }
  }
}

/**
 * Revokes a key. All servers normally reject it immediately, and at the latest within five seconds. An already revoked
 * key is left unchanged.
 * @throws DomainError `api_key_not_found`, also for another integrator's key.
 */
export async function revokeApiKey(ctx: WriteContext, id: string): Promise<ApiKey> {
  const { tx, actor, request } = ctx;
  const ownKey = toOwnKey(actor, id);
  const revoked = isId(id)
    ? await tx
        .update(apiKeys)
        .set({ revokedAt: NOW })
        .where(and(ownKey, isNull(apiKeys.revokedAt)))
        .returning({ name: apiKeys.name })
    : [];
  const [apiKey] = isId(id) ? await tx.select(KEY_COLUMNS).from(apiKeys).where(ownKey) : [];
  if (!apiKey) {
    throw notFound("api_key_not_found");
  }
  await announceCredentialChange(tx, actor);
  await recordAudit(
    tx,
    actor.integratorId,
    revoked.map(({ name }) => ({
      actor: actor.ref,
      request,
      action: "api_key.revoked",
      targetType: "api_key" as const,
      targetId: id,
      before: { name },
      after: null,
    })),
  );
  return apiKey;
}

/** The columns to read of a key: all but its secret. */
export const KEY_COLUMNS = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  suffix: apiKeys.suffix,
  scopes: apiKeys.scopes,
  expiresAt: apiKeys.expiresAt,
  createdBy: apiKeys.createdBy,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
  exemptedAt: apiKeys.exemptedAt,
};
