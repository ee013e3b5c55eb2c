import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#db/testing/api-client.ts";
import { testDatabase } from "#db/testing/database.ts";
import { BUSINESS_PAIRS } from "#db/testing/declared-pairs.ts";
import { newProcessorKey } from "#db/testing/fixtures.ts";
import { PURCHASE_CASES } from "#db/testing/purchase-refusals.ts";
import {
  changeUnguarded,
  forEach,
  newScene,
  send,
  sendFull,
  sendUnbalanced,
  sendWhileAdvancing,
  unknownCard,
} from "#db/testing/scene.ts";
import type { Case, Scene } from "#db/testing/scene.ts";
import { hold } from "#db/testing/spending.ts";
import { newStaff } from "#db/testing/staff.ts";
import { newId } from "#lib/base/ids.ts";

/**
 * Makes every operation answer each business-state refusal that it declares, with a real request.
 */

let processorKey: string;

beforeAll(async () => {
  processorKey = await newProcessorKey();
});

function change(statement: ReturnType<typeof sql>) {
  return testDatabase().db.execute(statement);
}

const closed =
  (id: string): Case =>
  async (scene) => {
    await send(scene, "closeCard");
    return send(scene, id);
  };

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
      "advanceClock",
    ],
    {
      books_unbalanced: (id) => (scene) => sendUnbalanced(scene, id),
    },
  ),
  ...forEach(
    [
      "creditCard",
      "topUpCard",
      "debitCard",
      "topUpFloat",
      "freezeCard",
      "unfreezeCard",
      "closeCard",
      "createVirtualCard",
      "updateCard",
      "mockTransaction",
      "createAuthorization",
      "createRefund",
      "createFunding",
      "advanceClock",
      "resetClock",
    ],
    {
      clock_advancing: (id) => (scene) => sendWhileAdvancing(scene, id),
    },
  ),
  ...forEach(["topUpFloat", "createFunding", "closeCard"], {
    balance_limit_exceeded: (id) => (scene) => sendFull(scene, id, { account: "float" }),
  }),
  "debitCard balance_limit_exceeded": (scene: Scene) =>
    sendFull(scene, "debitCard", { account: "float", body: { amount: 1 } }),
  "debitCard insufficient_card_balance": (scene: Scene) =>
    send(scene, "debitCard", { body: { amount: 101 } }),
  "createFunding integrator_not_found": (scene: Scene) =>
    send(scene, "createFunding", { body: { integrator_id: newId() } }),
};

const CARDS: Record<string, Case> = {
  ...forEach(["freezeCard", "unfreezeCard", "closeCard"], { card_closed: closed }),
  ...forEach(["freezeCard", "unfreezeCard"], {
    card_status_changed: (id) => (scene) => send(scene, id, { body: { status_version: 7 } }),
  }),
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
  "createVirtualCard user_archived": async (scene) => {
    const { data } = (await send(scene, "registerUser", { at: scene.id })).json as {
      data: { id: string };
    };
    await send(scene, "archiveUser", { at: data.id });
    return send(scene, "createVirtualCard", { body: { user_id: data.id } });
  },
  "archiveUser user_has_cards": (scene) => send(scene, "archiveUser", { at: scene.ids.user }),
  "updateUser user_already_exists": async (scene) => {
    const email = `${newId()}@example.com`;
    await send(scene, "registerUser", { at: scene.id, body: { email } });
    return send(scene, "updateUser", { at: scene.ids.user, body: { email } });
  },
  "registerUser user_already_exists": async (scene) => {
    const duplicate = { at: scene.id, body: { email: `${newId()}@example.com` } };
    await send(scene, "registerUser", duplicate);
    return send(scene, "registerUser", duplicate);
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
    // The person who registered the account is an owner too.
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
      "rotateWebhookSecret",
    ],
    {
      role_insufficient: (id) => asAdmin(id),
    },
  ),
  "rotateWebhookSecret signing_secrets_exhausted": async (scene) => {
    for (let rotated = 0; rotated < 5; rotated += 1) {
      await send(scene, "rotateWebhookSecret");
    }
    return send(scene, "rotateWebhookSecret");
  },
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

const CASES: Record<string, Case> = {
  ...FUNDS,
  ...PURCHASE_CASES,
  ...CARDS,
  ...WEBHOOKS,
  ...STAFF,
};

describe("each operation answers the refusals that it declares", () => {
  test.each(Object.entries(CASES))("%s", async (pair, request) => {
    const reply = await request(await newScene(processorKey));
    const [, code] = pair.split(" ");
    expect(reply.json).toMatchObject({ code });
  });

  test("and only the overload refusals are tested elsewhere", () => {
    const expected = BUSINESS_PAIRS.filter((pair) => !pair.endsWith(" overloaded"));
    expect(Object.keys(CASES).toSorted()).toEqual(expected.toSorted());
  });
});
