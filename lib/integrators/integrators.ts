import { isDeepStrictEqual } from "node:util";
import { and, eq, getTableColumns } from "drizzle-orm";
import { KEY_SCOPES } from "#lib/base/actor.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import { API_VERSION_NEWEST } from "#lib/base/api-versions.ts";
import { createApiKey } from "#lib/access/api-keys.ts";
import { announceCredentialChange } from "#lib/access/credential-changes.ts";
import { recordAudit } from "#lib/record/audit.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { ReadContext, RequestOrigin, UpdateContext, WriteContext } from "#lib/base/context.ts";
import { requireWebhookUrl } from "#lib/webhooks/endpoint-url.ts";
import { followWebhookUrl, toTestEvent } from "#lib/webhooks/endpoints.ts";
import { notFound } from "#lib/base/errors.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import type { Moment } from "#lib/base/ids.ts";
import {
  INFORMATION_NAMES,
  SETTING_NAMES,
  toAccountResource,
} from "#lib/integrators/account-resource.ts";
import type {
  Account,
  AccountChanges,
  SettingsChanges,
} from "#lib/integrators/account-resource.ts";
import { changeRule } from "#lib/integrators/internal/approval-rule.ts";
import { nowOf, readMoment } from "#lib/base/moment.ts";
import { restartIdleFill } from "#lib/transactions/idle-freeze.ts";
import { recordThresholdChange } from "#lib/transactions/float-level.ts";
import { insertStaff } from "#lib/staff/staff-emails.ts";
import { integrators } from "#db/schema/integrators.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";

/** The registration data of an integrator and its first staff member. Members that were not given are `""`. */
export interface Registration {
  businessName: string;
  businessAddress: string;
  contactNumber: string;
  country: string;
  domain: string;
  email: string;
  firstName: string;
  lastName: string;
  /** From `hashPassword`, called before the transaction: hashing is slow and must not hold a connection. */
  passwordHash: string;
  registrationNumber: string;
  webhookUrl: string | null;
  currency: string;
}

/**
 * Creates an integrator with its float, its external accounts, its owner's login, and one API key with every
 * scope a key may have. The key is shown only this once.
 * @param place `vouched`: whether the operator vouches for the identity of its staff.
 * @throws DomainError `email_already_registered`.
 */
export async function registerIntegrator(
  place: { tx: Tx; request: RequestOrigin; environment: "sandbox" | "live"; vouched: boolean },
  registration: Registration,
): Promise<{ account: Account; apiKey: string }> {
  const { tx, request, environment, vouched } = place;
  const { passwordHash, webhookUrl, ...described } = registration;
  const moment = await readMoment(tx);
  const integratorId = moment.newId();
  await tx.insert(integrators).values({
    ...described,
    id: integratorId,
    environment,
    vouched,
    apiVersion: API_VERSION_NEWEST,
    logBodies: environment === "sandbox",
    createdAt: moment.at,
    updatedAt: moment.at,
  });
  const { email, firstName, lastName } = registration;
  await insertStaff(tx, {
    integratorId,
    id: moment.newId(),
    email,
    firstName,
    lastName,
    role: "owner",
    passwordHash,
    createdAt: moment.at,
    updatedAt: moment.at,
  });
  await insertAccounts(tx, { integratorId, ...moment }, registration.currency);
  if (webhookUrl !== null) {
    await followWebhookUrl(tx, integratorId, webhookUrl);
  }
  const { key } = await createApiKey(tx, {
    integratorId,
    environment,
    name: "First key",
    scopes: KEY_SCOPES,
    expiresAt: null,
    createdBy: "registration",
  });
  const account = await readAccount(tx, integratorId);
  await recordAudit(tx, integratorId, [
    {
      actor: REGISTRATION,
      request,
      action: "account.registered",
      targetType: "account",
      targetId: integratorId,
      before: null,
      after: { business_name: account.businessName, environment, vouched },
    },
  ]);
  return { account, apiKey: key };
}

const REGISTRATION: ActorRef = { type: "system", id: null, name: "Registration" };

async function insertAccounts(
  tx: Tx,
  { integratorId, at: updatedAt, newId }: Moment & { integratorId: string },
  currency: string,
): Promise<void> {
  const shared = { integratorId, currency, updatedAt };
  await tx.insert(ledgerAccounts).values([
    { ...shared, id: newId(), kind: "float", rank: 2, balance: 0, held: 0 },
    { ...shared, id: newId(), kind: "deficit", rank: 3, balance: 0, held: 0 },
    { ...shared, id: newId(), kind: "bank", rank: 3 },
    { ...shared, id: newId(), kind: "network", rank: 3 },
  ]);
}

/**
 * @throws DomainError `integrator_not_found` for an id that is not the caller's own. A missing id is
 * accepted.
 */
export function requireOwnAccount(ctx: WriteContext, id: string | null): void {
  if (id !== null && id !== ctx.actor.integratorId) {
    throw notFound("integrator_not_found");
  }
}

/** The caller's own account. */
export async function getAccount(ctx: ReadContext): Promise<Account> {
  return readAccount(ctx.db, ctx.actor.integratorId);
}

/** Changes account information; absent members stay unchanged. The change applies in full or not at all. */
export async function updateAccount(
  ctx: UpdateContext<Account>,
  changes: AccountChanges,
): Promise<Account> {
  return change(ctx, changes);
}

/**
 * Changes account settings; absent members stay unchanged.
 * @throws DomainError `role_insufficient`, `fresh_sign_in_required`, or `approvers_missing` if the approval rule
 * changes. HeldUp if somebody else must approve that change.
 */
export async function updateSettings(
  ctx: UpdateContext<Account>,
  changes: SettingsChanges,
): Promise<Account> {
  const account = await change(ctx, changes);
  await announceCredentialChange(ctx.tx, ctx.actor);
  return account;
}

type Changes = AccountChanges & SettingsChanges;

const NAMES = { ...INFORMATION_NAMES, ...SETTING_NAMES };

const CHANGEABLE = Object.keys(NAMES).filter((name): name is keyof Changes => name in NAMES);

async function change(ctx: UpdateContext<Account>, changes: Changes): Promise<Account> {
  const { tx, actor, request } = ctx;
  const { integratorId } = actor;
  await tx
    .select({ id: integrators.id })
    .from(integrators)
    .where(eq(integrators.id, integratorId))
    .for("no key update");
  const before = await getAccount(toReadContext(ctx));
  ctx.requireSeen?.(before);
  const since = await changeRule(ctx, before.approval, changes.approval);
  requireWebhookUrl(before.environment, changes.webhookUrl);
  const changed = CHANGEABLE.filter(
    (name) => changes[name] !== undefined && !isDeepStrictEqual(changes[name], before[name]),
  );
  if (changed.length === 0) {
    return before;
  }
  const columns = changed.filter((name) => name !== "webhookUrl");
  await tx
    .update(integrators)
    .set({
      ...Object.fromEntries(columns.map((name) => [name, changes[name]])),
      ...since,
      updatedAt: nowOf(tx),
    })
    .where(and(eq(integrators.id, integratorId)));
  if (changed.includes("idleFreezeDays")) {
    await restartIdleFill(tx, integratorId);
  }
  const moved = changed.includes("webhookUrl");
  if (moved) {
    await followWebhookUrl(tx, integratorId, changes.webhookUrl ?? null);
  }
  const after = await getAccount(toReadContext(ctx));
  const named = (account: Account) => {
    const shown = toAccountResource(account);
    return Object.fromEntries(changed.map((name) => [NAMES[name], shown[NAMES[name]]]));
  };
  const by = { actor: actor.ref, requestId: request.id };
  await recordAccountEvents(tx, { ...after, integratorId }, [
    {
      ...by,
      event: "integrator.updated",
      subject: { type: "account", id: integratorId },
      data: named(after),
      previous: named(before),
    },
    ...(moved && after.webhookUrl !== null ? [toTestEvent(integratorId, by)] : []),
  ]);
  if (changed.includes("lowBalanceThreshold")) {
    await recordThresholdChange(tx, integratorId, {
      threshold: before.lowBalanceThreshold,
      cause: by,
    });
  }
  await recordAudit(tx, integratorId, [
    {
      actor: actor.ref,
      request,
      action: "integrator.updated",
      targetType: "account",
      targetId: integratorId,
      before: named(before),
      after: named(after),
    },
  ]);
  return after;
}

async function readAccount(db: Db | Tx, integratorId: string): Promise<Account> {
  const [row] = await db
    .select({ ...getTableColumns(integrators), webhookUrl: webhookEndpoints.url })
    .from(integrators)
    // The first endpoint has the integrator's id. Accounts do not show further endpoints.
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.id, integrators.id))
    .where(eq(integrators.id, integratorId));
  if (!row) {
    throw new Error(`There is no integrator ${integratorId}.`);
  }
  const {
    eventSequence: _counter,
    booksUnbalancedAt: _unbalanced,
    clockOffsetS: _offset,
    clockTargetS: _target,
    clockSince: _since,
    idleFillAfter: _fill,
    approvalSince: _ruleSince,
    ...account
  } = row;
  return account;
}
