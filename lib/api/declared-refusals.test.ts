import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#db/testing/api-client.ts";
import type { ApiReply } from "#db/testing/api-client.ts";
import { testDatabase } from "#db/testing/database.ts";
import { BUSINESS_PAIRS } from "#db/testing/declared-pairs.ts";
import { newProcessorKey } from "#db/testing/fixtures.ts";
import {
  authorize,
  changeUnguarded,
  newScene,
  send,
  sendFull,
  sendUnbalanced,
} from "#db/testing/scene.ts";
import type { Scene } from "#db/testing/scene.ts";
import { buy, capture, hold, reverse } from "#db/testing/spending.ts";
import { newStaff } from "#db/testing/staff.ts";
import { newId } from "#lib/base/ids.ts";

/** Every operation is made to answer each refusal by the state of the business that it declares, by a real request. */

type Case = (scene: Scene) => Promise<ApiReply>;

let processorKey: string;

beforeAll(async () => {
  processorKey = await newProcessorKey();
});

/** The same cases for several operations. */
function forEach(ids: readonly string[], cases: Record<string, (id: string) => Case>) {
  return Object.fromEntries(
    ids.flatMap((id) =>
      Object.entries(cases).map(([code, toCase]) => [`${id} ${code}`, toCase(id)]),
    ),
  );
}

function change(statement: ReturnType<typeof sql>) {
  return testDatabase().db.execute(statement);
}

const closed =
  (id: string): Case =>
  async (scene) => {
    await send(scene, "closeCard");
    return send(scene, id);
  };
const unknownCard = { body: { card_id: newId() } };

const FUNDS = {
  ...forEach(["creditCard", "topUpCard"], {
    card_expired: (id) => async (scene) => {
      await changeUnguarded(
        sql`update ledger_accounts set expires_at = clock_timestamp() where id = ${scene.card}`,
      );
      return send(scene, id);
    },
    insufficient_float: (id) => (scene) => send(scene, id, { body: { amount: 1_000_000 } }),
    balance_limit_exceeded: (id) => (scene) => sendFull(scene, id, { account: "card" }),
  }),
  ...forEach(["creditCard", "topUpCard", "debitCard"], {
    card_not_found: (id) => (scene) => send(scene, id, unknownCard),
    card_closed: closed,
  }),
  ...forEach(
    [
      "creditCard",
      "topUpCard",
      "debitCard",
      "topUpFloat",
      "closeCard",
      "mockTransaction",
      "createAuthorization",
      "createRefund",
      "createFunding",
    ],
    {
      books_unbalanced: (id) => (scene) => sendUnbalanced(scene, id),
    },
  ),
  ...forEach(["debitCard", "topUpFloat", "createFunding"], {
    balance_limit_exceeded: (id) => (scene) => sendFull(scene, id, { account: "float" }),
  }),
  "debitCard insufficient_card_balance": (scene: Scene) =>
    send(scene, "debitCard", { body: { amount: 101 } }),
  "createFunding integrator_not_found": (scene: Scene) =>
    send(scene, "createFunding", { body: { integrator_id: newId() } }),
};

/** How the simulator and the network ask for the same act on an authorization. */
const capturing = {
  mockTransaction: (transaction_id: string, amount?: number) => ({
    body: { type: "capture", transaction_id, amount },
  }),
  createCapture: (at: string, amount?: number) => ({ at, body: { amount } }),
};
const reversing = {
  mockTransaction: (transaction_id: string, amount?: number) => ({
    body: { type: "reversal", transaction_id, amount },
  }),
  createReversal: (at: string, amount?: number) => ({ at, body: { amount } }),
};
const refunding = {
  mockTransaction: (transaction_id: string, amount: number) => ({
    body: { type: "refund", transaction_id, amount },
  }),
  createRefund: (transaction_id: string, amount: number) => ({ body: { transaction_id, amount } }),
};
type Act = (id: string, amount: number) => object;

/** An authorization that ended in each way there is. */
const ended = (id: string, act: Act): Record<string, Case> => ({
  [`${id} authorization_captured`]: async (scene) => {
    const held = await authorize(scene, 10);
    await capture(scene, held, { final: true });
    return send(scene, id, act(held, 1));
  },
  [`${id} authorization_reversed`]: async (scene) => {
    const held = await authorize(scene, 10);
    await reverse(scene, held);
    return send(scene, id, act(held, 1));
  },
  [`${id} authorization_expired`]: async (scene) => {
    const held = await authorize(scene, 10, { expires_in: 1 });
    await expect.poll(() => isExpired(held), { timeout: 20_000 }).toBe(true);
    return send(scene, id, act(held, 1));
  },
  [`${id} authorization_declined`]: async (scene) =>
    send(scene, id, act(await authorize(scene, 1_000), 1)),
});

async function isExpired(id: string): Promise<boolean> {
  const rows = await change(
    sql`select from transactions where id = ${id} and hold_expires_at < clock_timestamp()`,
  );
  return rows.length > 0;
}

const held = (
  id: string,
  act: Act,
  { code, amount, asked }: { code: string; amount: number; asked: number },
) => ({
  [`${id} ${code}`]: async (scene: Scene) =>
    send(scene, id, act(await authorize(scene, amount), asked)),
});
const bought = (id: string, act: Act): Record<string, Case> => ({
  [`${id} transaction_not_found`]: (scene) => send(scene, id, act(newId(), 1)),
  [`${id} transaction_not_settled`]: async (scene) =>
    send(scene, id, act(await authorize(scene, 10), 1)),
  [`${id} refund_exceeds_purchase`]: async (scene) => {
    const { transaction } = await buy(scene, { cardId: scene.card, amount: 10 });
    return send(scene, id, act(transaction.id, 11));
  },
  [`${id} balance_limit_exceeded`]: async (scene) => {
    const { transaction } = await buy(scene, { cardId: scene.card, amount: 10 });
    return sendFull(scene, id, { account: "card", ...act(transaction.id, 1) });
  },
});

const PURCHASES: Record<string, Case> = {
  ...Object.assign(
    {},
    ...Object.entries(capturing).map(([id, act]) => ({
      ...ended(id, act),
      ...held(id, act, { code: "capture_exceeds_authorization", amount: 10, asked: 90 }),
      ...held(id, act, { code: "insufficient_card_balance", amount: 100, asked: 101 }),
    })),
  ),
  ...Object.assign(
    {},
    ...Object.entries(reversing).map(([id, act]) => ({
      ...ended(id, act),
      ...held(id, act, { code: "reversal_exceeds_hold", amount: 10, asked: 11 }),
    })),
  ),
  ...Object.assign({}, ...Object.entries(refunding).map(([id, act]) => bought(id, act))),
  "mockTransaction authorization_not_found": (scene) =>
    send(scene, "mockTransaction", { body: { type: "capture", transaction_id: newId() } }),
  "createRefund card_not_found": (scene) => send(scene, "createRefund", unknownCard),
  ...forEach(["createCapture", "createReversal"], {
    books_unbalanced: (id) => async (scene) =>
      sendUnbalanced(scene, id, { at: await authorize(scene, 10) }),
  }),
};

const CARDS: Record<string, Case> = {
  ...forEach(["freezeCard", "unfreezeCard", "closeCard"], { card_closed: closed }),
  "closeCard card_has_holds": async (scene) => {
    await hold(scene, { cardId: scene.card, amount: 10 });
    return send(scene, "closeCard");
  },
  "createVirtualCard user_not_found": (scene) =>
    send(scene, "createVirtualCard", { body: { user_id: newId() } }),
  "createVirtualCard integrator_not_found": (scene) =>
    send(scene, "createVirtualCard", { body: { card_integrator_id: newId() } }),
  "createVirtualCard currency_mismatch": (scene) =>
    send(scene, "createVirtualCard", { body: { currency: "EUR" } }),
  "registerUser user_already_exists": async (scene) => {
    const wanted = { at: scene.id, body: { email: `${newId()}@example.com` } };
    await send(scene, "registerUser", wanted);
    return send(scene, "registerUser", wanted);
  },
};

async function setUrl(scene: Scene, url: string | null): Promise<void> {
  await send(scene, "updateAccount", { body: { domain: "quay.example", webhook_url: url } });
}

const WEBHOOKS: Record<string, Case> = {
  ...forEach(
    ["resendWebhookDelivery", "recoverWebhookDeliveries", "sendTestWebhook", "enableWebhooks"],
    {
      webhook_url_missing: (id) => async (scene) => {
        await setUrl(scene, null);
        return send(scene, id, { at: scene.ids.delivery });
      },
    },
  ),
  ...forEach(["resendWebhookDelivery", "recoverWebhookDeliveries", "sendTestWebhook"], {
    notifications_switched_off: (id) => async (scene) => {
      await change(sql`
        update webhook_endpoints set switched_off_at = clock_timestamp(), switched_off_reason = 'gone'
        where integrator_id = ${scene.id}`);
      return send(scene, id, { at: scene.ids.delivery });
    },
  }),
};

const asAdmin =
  (id: string, body: object = {}): Case =>
  async (scene) => {
    const { headers } = await newStaff(scene.id, "admin");
    return send(scene, id, { headers, at: scene.owner.id, body });
  };
const asLastOwner =
  (id: string): Case =>
  async (scene) => {
    // Who registered the account owns it too.
    await change(sql`
      update staff set removed_at = clock_timestamp()
      where integrator_id = ${scene.id} and role = 'owner' and id <> ${scene.owner.id}`);
    return send(scene, id, { at: scene.owner.id });
  };

const STAFF: Record<string, Case> = {
  ...forEach(
    [
      "changeRole",
      "removeStaff",
      "revokeSessions",
      "makePasswordReset",
      "requireSecondFactor",
      "revealWebhookSecret",
    ],
    {
      role_insufficient: (id) => asAdmin(id),
    },
  ),
  "inviteStaff role_insufficient": asAdmin("inviteStaff", { role: "owner" }),
  ...forEach(["changeRole", "removeStaff"], { staff_last_owner: asLastOwner }),
  ...forEach(["inviteStaff", "registerIntegrator"], {
    email_already_registered: (id) => (scene) =>
      send(scene, id, { body: { email: scene.owner.email } }),
  }),
  ...forEach(["readLink", "acceptInvitation", "resetPassword"], {
    link_not_found: (id) => (scene) => send(scene, id),
  }),
  "acceptInvitation email_already_registered": async (scene) => {
    const email = `${newId()}@example.com`;
    const invited = await send(scene, "inviteStaff", { body: { email } });
    const [, token] = (invited.json as { link: string }).link.split("#");
    await send(scene, "registerIntegrator", { body: { email } });
    // Whoever only signed up keeps no email from somebody who was invited.
    await change(sql`update integrators set vouched = true where email = ${email}`);
    return send(scene, "acceptInvitation", { body: { token } });
  },
  "beginSecondFactor second_factor_exists": async (scene) => {
    await change(sql`
      update staff set totp_secret = 'sealed', totp_confirmed_at = clock_timestamp() where id = ${scene.owner.id}`);
    return call("POST /staff/me/second-factor", { headers: scene.owner.headers });
  },
};

const CASES: Record<string, Case> = { ...FUNDS, ...PURCHASES, ...CARDS, ...WEBHOOKS, ...STAFF };

describe("each operation answers the refusals that it declares", () => {
  test.each(Object.entries(CASES))("%s", async (pair, request) => {
    const reply = await request(await newScene(processorKey));
    const [, code] = pair.split(" ");
    expect(reply.json).toMatchObject({ code });
  });

  test("and those are all but the ones of too many requests at once", () => {
    const wanted = BUSINESS_PAIRS.filter((pair) => !pair.endsWith(" overloaded"));
    expect(Object.keys(CASES).toSorted()).toEqual(wanted.toSorted());
  });
});
