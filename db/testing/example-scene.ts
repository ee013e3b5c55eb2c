import { TOTP } from "otpauth";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { IDS } from "#lib/operations/samples.ts";
import { newId } from "#lib/base/ids.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { keepNotification } from "#lib/webhooks/inbox-receive.ts";
import { call } from "./api-client.ts";
import type { ApiCall } from "./api-client.ts";
import { testDatabase } from "./database.ts";
import { move, newProcessorKey } from "./fixtures.ts";
import { lastSessionOf, newStaff } from "./staff.ts";
import { newTenant } from "./tenant.ts";
import type { Tenant } from "./tenant.ts";

/** What an example needs beyond a tenant: who sends it, and values that only the server knows. */
export interface Prepared {
  headers?: Record<string, string>;
  /** Members of the body. */
  body?: Record<string, unknown>;
  /** Ids that stand for those of the samples. */
  ids?: Partial<Record<keyof typeof IDS, string>>;
}

/** Brings a tenant into the state that an operation's example starts from. */
type Prepare = (tenant: Tenant) => Promise<Prepared>;

const PASSWORD = "a long enough password";

/** A tenant with one of everything, and with funds. */
export async function newExampleTenant(): Promise<Tenant> {
  const tenant = await newTenant();
  await move(tenant, { kind: "top-up", amount: 1_000_000 });
  await move(tenant, { kind: "credit", cardId: tenant.ids.card, amount: 5_000 });
  return tenant;
}

async function request(line: string, wanted: ApiCall) {
  const reply = await call(line, { ...wanted, address: newId() });
  if (reply.status >= 300) {
    throw new Error(`${line} was answered ${reply.status}: ${reply.text}`);
  }
  return Object(reply.json);
}

function send({ apiKey: key }: Tenant, line: string, body?: object) {
  return request(line, { key, body });
}

function sendAsOwner({ owner }: Tenant, line: string, body?: object) {
  return request(line, { headers: owner.headers, body });
}

const mock = (tenant: Tenant, body: object) =>
  send(tenant, `POST /cards/${tenant.ids.card}/mock-transaction`, body);

async function closeCard(tenant: Tenant): Promise<Prepared> {
  await releaseHold(tenant);
  await send(tenant, `POST /cards/${tenant.ids.card}/close`);
  return {};
}

async function releaseHold(tenant: Tenant): Promise<Prepared> {
  await mock(tenant, { type: "reversal", transaction_id: tenant.ids.authorization });
  return {};
}

/** A person who knows their password. */
async function signIn({ id }: Tenant): Promise<Prepared> {
  const { headers } = await newStaff(id, "viewer", await hashPassword(PASSWORD));
  return { headers };
}

async function toToken(made: Promise<{ link: string }>): Promise<Prepared> {
  return { body: { token: new URL((await made).link).hash.slice(1) } };
}

const invite = (tenant: Tenant) =>
  sendAsOwner(tenant, "POST /staff/invitations", {
    email: `${newId()}@example.com`,
    role: "viewer",
  });

async function beginSecondFactor(tenant: Tenant): Promise<Prepared> {
  const { secret } = await sendAsOwner(tenant, "POST /staff/me/second-factor");
  return { body: { code: new TOTP({ secret }).generate() } };
}

/** The card network captures and reverses only what it authorized itself. */
async function authorize({ ids }: Tenant): Promise<Prepared> {
  const key = await newProcessorKey();
  const body = { reference: newId(), card_id: ids.card, amount: 50, currency: "USD" };
  const { id } = await request("POST /processor/authorizations", { key, body });
  return { ids: { authorization: id } };
}

const INBOX_HEADERS = {
  "content-type": "application/json",
  "user-agent": "Floatdeck-Webhooks/1.0",
  "webhook-id": IDS.delivery,
  "webhook-timestamp": "1795247800",
  "webhook-signature": "v1,AAAA",
};

const PREPARATIONS: Readonly<Record<string, Prepare>> = {
  unfreezeCard: async (tenant) => {
    await send(tenant, `PATCH /cards/${tenant.ids.card}/freeze`);
    return {};
  },
  closeCard: releaseHold,
  archiveUser: closeCard,
  unarchiveUser: async (tenant) => {
    await closeCard(tenant);
    await send(tenant, `POST /card-integrators/card-users/${tenant.ids.user}/archive`);
    return {};
  },
  createCapture: authorize,
  createReversal: authorize,
  createRefund: async (tenant) => {
    const { data } = await mock(tenant, { type: "deduct", amount: 450 });
    return { ids: { transaction: data.id } };
  },
  getIdempotencyKey: async (tenant) => {
    const headers = { "Idempotency-Key": "top-up-4711" };
    const { apiKey: key } = tenant;
    await request("PATCH /card-integrators/top-up-float", { key, headers, body: { amount: 1 } });
    return {};
  },
  listApiLog: async (tenant) => {
    await send(tenant, `PATCH /cards/${tenant.ids.card}/freeze`);
    await flushApiLog();
    return {};
  },
  getLoggedRequest: async (tenant) => {
    await send(tenant, "PATCH /cards/credit/balance", { card_id: tenant.ids.card, amount: 2_000 });
    await flushApiLog();
    const { data } = await sendAsOwner(tenant, "GET /api-log?operation=creditCard");
    return { ids: { entry: data[0].id } };
  },
  listInbox: async (tenant) => {
    await send(tenant, "POST /sandbox/inbox");
    await keepNotification(
      testDatabase().db,
      { integratorId: tenant.id },
      { headers: INBOX_HEADERS, body: Buffer.from('{"event":"webhook.test"}') },
    );
    return {};
  },
  recoverWebhookDeliveries: () =>
    Promise.resolve({ body: { since: new Date(Date.now() - 1_000).toISOString() } }),
  readLink: (tenant) => toToken(invite(tenant)),
  acceptInvitation: (tenant) => toToken(invite(tenant)),
  resetPassword: (tenant) =>
    toToken(sendAsOwner(tenant, `POST /staff/${tenant.ids.staff}/password-reset`)),
  confirmSelf: signIn,
  changePassword: signIn,
  revokeOwnSession: async ({ owner }) => {
    await owner.signInAgain();
    return { ids: { session: await lastSessionOf(owner) } };
  },
  enableSecondFactor: beginSecondFactor,
  disableSecondFactor: async (tenant) => {
    const { body } = await beginSecondFactor(tenant);
    await sendAsOwner(tenant, "POST /staff/me/second-factor/enable", body);
    return {};
  },
};

/** Prepares the example of an operation. */
export function prepareExample(operationId: string, tenant: Tenant): Promise<Prepared> {
  return (PREPARATIONS[operationId] ?? (() => Promise.resolve({})))(tenant);
}

/** Replaces what the samples name by what is real: ids, and values that must be unique. */
export function toReal(text: string, tenant: Tenant, prepared: Prepared): string {
  const ids: Record<string, string> = { ...tenant.ids, ...prepared.ids };
  const named = Object.entries(IDS).reduce(
    (made, [name, id]) => made.replaceAll(id, ids[name] ?? id),
    text,
  );
  return named
    .replaceAll(/(?:kofi@example\.com|(?:ada|noor)@northwind\.example)/gu, `${newId()}@example.com`)
    .replaceAll(/"(?<kind>auth|capture|reversal|refund|funding)-8842"/gu, `"$<kind>-${newId()}"`);
}
