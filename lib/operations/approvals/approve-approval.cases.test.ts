import { sql } from "drizzle-orm";
import { newApproval } from "#test/scene/approvals.ts";
import { newScopedKey } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { Cases } from "#test/scene/refusal-cases.ts";
import {
  changeUnguarded,
  send,
  sendFull,
  sendUnbalanced,
  sendWhileAdvancing,
} from "#test/scene/scene.ts";
import type { Case, Scene } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";
import { approveApproval } from "#lib/operations/approvals/approve-approval.ts";

export const operation = approveApproval;

type Asked = Parameters<typeof newApproval>[1];

/** Approves what another admin asked for, after something has happened to it. */
function approving(
  toAsked: (scene: Scene) => Asked,
  spoil: (scene: Scene) => Promise<unknown> = async () => undefined,
): Case {
  return async (scene) => {
    const at = await newApproval(scene, toAsked(scene));
    await spoil(scene);
    return send(scene, operation.id, { at });
  };
}

const aCredit = ({ card }: Scene): Asked => ({ cardId: card });

const aDebit = ({ card }: Scene): Asked => ({
  cardId: card,
  operation: "debitCard",
  amount: 1_000,
});

const aReplacement = ({ card }: Scene): Asked => ({
  cardId: card,
  operation: "replaceCard",
  targetId: card,
  body: {},
  amount: 100,
});

const anErasedHolder = ({ id }: Scene) =>
  changeUnguarded(
    sql`update cardholders set erased_at = clock_timestamp() where integrator_id = ${id}`,
  );

export const cases: Cases<typeof approveApproval> = {
  approval_decided: async (scene) => {
    const at = await newApproval(scene);
    await send(scene, "rejectApproval", { at });
    return send(scene, operation.id, { at });
  },
  approval_own: approving((scene) => ({ cardId: scene.card, requesterId: scene.owner.id })),
  approval_outdated: approving(({ card }) => ({
    cardId: card,
    operation: "closeCard",
    targetId: card,
    body: {},
    amount: 99,
  })),
  requester_insufficient: async (scene) => {
    const { id: requesterId } = await newStaff(scene.id, "viewer");
    const at = await newApproval(scene, { cardId: scene.card, requesterId });
    return send(scene, operation.id, { at });
  },
  card_closed: approving(aCredit, (scene) => send(scene, "closeCard")),
  card_expired: approving(aCredit, ({ card }) =>
    changeUnguarded(
      sql`update ledger_accounts set expires_at = clock_timestamp() where id = ${card}`,
    ),
  ),
  card_replaced: approving(aReplacement, (scene) => send(scene, "replaceCard")),
  freeze_not_liftable: async (scene) => {
    const { id: requesterId } = await newStaff(scene.id, "operator");
    const at = await newApproval(scene, { ...aReplacement(scene), requesterId });
    await send(scene, "freezeCard", { body: { level: "compliance" } });
    return send(scene, operation.id, { at });
  },
  single_use_spent: approving(aReplacement, async (scene) => {
    const { card } = scene;
    await changeUnguarded(sql`update ledger_accounts set single_use = true where id = ${card}`);
    await changeUnguarded(sql`update cards set single_use = true where id = ${card}`);
    await send(scene, "mockTransaction", { body: { type: "authorize", amount: 1 } });
  }),
  user_archived: approving(aReplacement, ({ id }) =>
    changeUnguarded(sql`update cardholders set archived = true where integrator_id = ${id}`),
  ),
  user_erased: approving(aReplacement, anErasedHolder),
  insufficient_float: approving(({ card }) => ({ cardId: card, amount: 1_000_000 })),
  insufficient_card_balance: approving(aDebit),
  balance_limit_exceeded: async (scene) => {
    const at = await newApproval(scene, aCredit(scene));
    return sendFull(scene, operation.id, { account: "card", at });
  },
  books_unbalanced: async (scene) => {
    const at = await newApproval(scene, aCredit(scene));
    return sendUnbalanced(scene, operation.id, { at });
  },
  clock_advancing: async (scene) => {
    const at = await newApproval(scene, aCredit(scene));
    return sendWhileAdvancing(scene, operation.id, { at });
  },
  api_key_inactive: async (scene) => {
    const { id: targetId } = await newScopedKey(scene.id, ["funds:write"]);
    await send(scene, "rotateApiKey", { at: targetId, body: { overlap_days: 0 } });
    const asked = { operation: "exemptApiKey", targetId, body: null, amount: null };
    return send(scene, operation.id, { at: await newApproval(scene, asked) });
  },
  staff_not_found: approving(() => ({
    operation: "makePasswordReset",
    targetId: newId(),
    body: null,
    amount: null,
  })),
  email_already_registered: approving(({ owner }) => ({
    operation: "inviteStaff",
    body: { email: owner.email, role: "viewer" },
    amount: null,
  })),
};
