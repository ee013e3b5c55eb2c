import { TOTP } from "otpauth";
import { newId } from "#lib/base/ids.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { call } from "./api-client.ts";
import type { ApiCall, ApiReply } from "./api-client.ts";
import { newProcessorKey } from "./fixtures.ts";
import { lastSessionOf, newStaff } from "./staff.ts";
import type { TestStaff } from "./staff.ts";

/** The integrator for which every write is performed. */
export interface Subject {
  integratorId: string;
  apiKey: string;
  /** An active card without holds. */
  pickCard(): string;
}

/** Performs one API call, counted under the operation's id. */
type Act = (operationId: string, work: () => Promise<ApiReply>) => Promise<ApiReply>;

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "new horse, old battery";
const ADDRESS = { city: "Accra", country: "GH", line1: "2 Ring Road", state: "AA" };

/** Performs every write operation of the contract at least once, successfully. */
export async function doEveryWrite(subject: Subject, act: Act): Promise<void> {
  const writes = new Writes(subject, act);
  await writes.account();
  await writes.cards();
  await writes.purchases();
  await writes.processor();
  await writes.clock();
  await writes.staff();
  await writes.self();
  await writes.webhooks();
}

class Writes {
  private readonly subject: Subject;
  private readonly act: Act;

  constructor(subject: Subject, act: Act) {
    this.subject = subject;
    this.act = act;
  }

  async account(): Promise<void> {
    const owner = await newStaff(this.subject.integratorId, "owner");
    await this.api("updateAccount PATCH /card-integrators/update", { domain: "north.example" });
    await this.api("updateSettings PATCH /card-integrators/settings", {
      low_balance_threshold: 5_000,
    });
    await this.by({}, "registerIntegrator POST /card-integrators/register-integrator", aBusiness());
    const key = await this.by(owner, "createApiKey POST /api-keys", {
      name: "Another",
      scopes: ["cards:read"],
    });
    await this.by(owner, `revokeApiKey DELETE /api-keys/${key.data.id}`);
  }

  async cards(): Promise<void> {
    const { integratorId, pickCard } = this.subject;
    const register = `registerUser POST /card-integrators/${integratorId}/register-user`;
    const user = await this.api(register, aPerson());
    const made = await this.api("createVirtualCard POST /cards/create-virtual-card", {
      user_id: user.data.id,
      currency: "USD",
      design_type: "midnight",
      single_use: false,
      validity: 365,
    });
    const id = pickCard();
    await this.api(`updateCard PATCH /cards/${id}`, { metadata: { order: newId() } });
    await this.api("topUpFloat PATCH /card-integrators/top-up-float", { amount: 10_000 });
    for (const card_id of [id, made.data.id]) {
      await this.api("creditCard PATCH /cards/credit/balance", { card_id, amount: 500 });
      await this.api("topUpCard PATCH /cards/top-up", { card_id, amount: 500 });
      await this.api("debitCard PATCH /cards/debit/balance", { card_id, amount: 100 });
      await this.api(`freezeCard PATCH /cards/${card_id}/freeze`, { reason: "lost" });
      await this.api(`unfreezeCard PATCH /cards/${card_id}/unfreeze`);
    }
    await this.api(`closeCard POST /cards/${made.data.id}/close`, {});
    const at = `/card-integrators/card-users/${user.data.id}`;
    await this.api(`updateUser PATCH ${at}`, { email: `${newId()}@example.com` });
    await this.api(`archiveUser POST ${at}/archive`);
    await this.api(`unarchiveUser POST ${at}/unarchive`);
  }

  /** Simulations of the card network. */
  async purchases(): Promise<void> {
    const card_id = this.subject.pickCard();
    await this.api("creditCard PATCH /cards/credit/balance", { card_id, amount: 2_000 });
    const mock = (body: object) =>
      this.api(`mockTransaction POST /cards/${card_id}/mock-transaction`, body);
    const paid = await mock({ type: "deduct", amount: 100 });
    await mock({ type: "deduct-reversal", amount: 10 });
    await mock({ type: "refund", transaction_id: paid.data.id, amount: 10 });
    const held = await mock({ type: "authorize", amount: 200 });
    await mock({ type: "capture", transaction_id: held.data.id, amount: 50 });
    await mock({ type: "reversal", transaction_id: held.data.id });
    await mock({ type: "deduct", amount: 1_000_000_000 });
    await mock({ type: "deduct", amount: 1, decline_with: "card_frozen" });
    const lapsed = await mock({ type: "authorize", amount: 30 });
    await mock({ type: "expire", transaction_id: lapsed.data.id });
    // This hold stays open.
    await mock({ type: "authorize", amount: 10 });
  }

  async clock(): Promise<void> {
    await this.api("advanceClock POST /sandbox/clock/advance", { by_seconds: 1 });
    await this.api("resetClock POST /sandbox/clock/reset");
  }

  async processor(): Promise<void> {
    const { pickCard, integratorId } = this.subject;
    const key = await newProcessorKey();
    const card_id = pickCard();
    await this.api("creditCard PATCH /cards/credit/balance", { card_id, amount: 2_000 });
    const ask = (id: string, line: string, body: object) =>
      this.by({ key }, `${id} POST /processor/${line}`, { reference: newId(), ...body });
    const purchase = { card_id, amount: 100, narrative: "BLUE BOTTLE*OAK" };
    for (const amount of [100, 1_000_000_000]) {
      await ask("createAuthorization", "authorizations", { ...purchase, currency: "USD", amount });
    }
    const authorize = async () =>
      String(
        (await ask("createAuthorization", "authorizations", { ...purchase, currency: "USD" })).id,
      );
    const id = await authorize();
    const captured = await ask("createCapture", `authorizations/${id}/captures`, { amount: 40 });
    await ask("createCapture", `authorizations/${id}/captures`, { amount: 20, final: true });
    await ask("createReversal", `authorizations/${await authorize()}/reversals`, {});
    await ask("createRefund", "refunds", {
      ...purchase,
      amount: 10,
      transaction_id: captured.data.id,
    });
    await ask("createRefund", "refunds", { ...purchase, amount: 5 });
    await ask("createFunding", "funding", { integrator_id: integratorId, amount: 100 });
  }

  async staff(): Promise<void> {
    const { integratorId } = this.subject;
    const owner = await newStaff(integratorId, "owner");
    const person = await newStaff(integratorId, "viewer");
    const invite = () =>
      this.by(owner, "inviteStaff POST /staff/invitations", {
        email: `${newId()}@new.example`,
        role: "viewer",
      });
    const revoked = await invite();
    await this.by(owner, `revokeInvitation DELETE /staff/invitations/${revoked.data.id}`);
    await this.by({}, "acceptInvitation POST /staff/links/accept", {
      token: toToken(await invite()),
      first_name: "Noor",
      last_name: "Haddad",
      password: PASSWORD,
    });
    const reset = await this.by(owner, `makePasswordReset POST /staff/${person.id}/password-reset`);
    const token = toToken(reset);
    await this.by({}, "readLink POST /staff/links/read", { token });
    await this.by({}, "resetPassword POST /staff/links/reset-password", {
      token,
      password: NEW_PASSWORD,
    });
    await this.by(owner, `revokeSessions POST /staff/${person.id}/revoke-sessions`);
    await this.by(owner, `changeRole PATCH /staff/${person.id}`, { role: "operator" });
    await this.by(owner, `removeStaff DELETE /staff/${person.id}`);
    await this.by(owner, "requireSecondFactor PATCH /staff/second-factor-policy", {
      required: false,
    });
  }

  async self(): Promise<void> {
    const person = await newStaff(
      this.subject.integratorId,
      "viewer",
      await hashPassword(PASSWORD),
    );
    await this.by(person, "confirmSelf POST /staff/me/confirm", { password: PASSWORD });
    await this.by(person, "changePassword PATCH /staff/me/password", {
      current_password: PASSWORD,
      new_password: NEW_PASSWORD,
    });
    await this.by(person, "revokeOtherSessions DELETE /staff/me/sessions");
    await person.signInAgain();
    const session = await lastSessionOf(person);
    await this.by(person, `revokeOwnSession DELETE /staff/me/sessions/${session}`);
    const begun = await this.by(person, "beginSecondFactor POST /staff/me/second-factor");
    const code = new TOTP({ secret: begun.secret ?? "" }).generate();
    await this.by(person, "enableSecondFactor POST /staff/me/second-factor/enable", { code });
    await this.by(person, "disableSecondFactor DELETE /staff/me/second-factor");
  }

  async webhooks(): Promise<void> {
    const owner = await newStaff(this.subject.integratorId, "owner");
    const { data } = await this.api("sendTestWebhook POST /webhooks/test");
    await this.api(`resendWebhookDelivery POST /webhook-deliveries/${data.id}/resend`);
    await this.api("recoverWebhookDeliveries POST /webhook-deliveries/recover", {
      since: new Date(Date.now() - 1_000).toISOString(),
    });
    await this.api("enableWebhooks POST /webhooks/enable");
    await this.api("rotateWebhookSecret POST /webhooks/rotate-secret");
    await this.by(owner, "revealWebhookSecret POST /webhooks/reveal-secret");
    await this.api("createInbox POST /sandbox/inbox");
  }

  /** With the integrator's key, under a new idempotency key. */
  private api(operation: string, body?: object): Promise<Answered> {
    const { apiKey: key } = this.subject;
    return this.by({ key, idempotent: true }, operation, body);
  }

  /** The operation's id, and then its method and path. */
  private async by(
    who: Partial<TestStaff> & { key?: string; idempotent?: boolean },
    operation: string,
    body?: object,
  ): Promise<Answered> {
    const [id = "", ...line] = operation.split(" ");
    const wanted: ApiCall = {
      key: who.key,
      body,
      // Attempts from one address are limited.
      address: newId(),
      headers: { ...who.headers, ...(who.idempotent ? { "idempotency-key": newId() } : {}) },
    };
    const reply = await this.act(id, () => call(line.join(" "), wanted));
    if (reply.status >= 300) {
      throw new Error(`${operation} was answered ${reply.status}: ${reply.text}`);
    }
    return reply.json as Answered;
  }
}

/** The members of responses that later calls need. */
interface Answered {
  id?: string;
  secret?: string;
  link?: string;
  data: { id: string };
}

function toToken({ link = "" }: Answered): string {
  return new URL(link).hash.slice(1);
}

function aPerson() {
  return {
    address: { ...ADDRESS, zip_code: "00233" },
    email: `${newId()}@example.com`,
    first_name: "Kofi",
    last_name: "Mensah",
    id_number: "A1234567",
    id_type: "passport",
    phone_number: "+233200000000",
  };
}

function aBusiness() {
  return {
    business_name: "Northwind",
    business_address: "1 Harbour Street",
    contact_number: "+15550100",
    country: "US",
    domain: "northwind.example",
    email: `${newId()}@example.com`,
    first_name: "Ada",
    last_name: "Winter",
    password: PASSWORD,
    registration_number: "12345",
  };
}
