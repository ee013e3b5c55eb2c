import { createVirtualCard } from "#lib/cards/card-issue.ts";
import { FREEZE_LEVELS } from "#lib/cards/card-state.ts";
import { changeCardStatus } from "#lib/cards/card-status.ts";
import type { StatusChange } from "#lib/cards/card-status.ts";
import { registerCardholder } from "#lib/cards/cardholders.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performAll, performOne } from "#lib/group-commit/batch.ts";
import { HOUR_MS } from "#lib/operator/internal/demo-agenda.ts";
import type { Freeze, Member } from "#lib/operator/internal/demo-cast.ts";
import { asActor } from "#lib/operator/internal/demo-scene.ts";
import type { Holder, Scene } from "#lib/operator/internal/demo-scene.ts";

const FIRST_FUNDING = 10_000;

/** Pays into the float. */
export async function topUp(scene: Scene, amount: number): Promise<void> {
  const { tx, ...caller } = asActor(scene, scene.refs.owner);
  await performOne(tx, moveFunds, { ...caller, kind: "top-up", amount });
}

/** Registers a member and gives them a funded card. */
export async function join(scene: Scene, member: Member): Promise<Holder> {
  const { id } = await registerCardholder(asActor(scene, scene.refs.key), member.registration);
  const holder = {
    ...member,
    cardholderId: id,
    cardId: await issue(scene, member, id),
    left: false,
  };
  await credit(scene, [holder], { amount: FIRST_FUNDING, narrative: "First funding" });
  return holder;
}

/** Gives members funds, all of them at once. A card that cannot be credited is left out. */
export async function credit(
  scene: Scene,
  holders: readonly Pick<Holder, "cardId" | "allowance">[],
  { amount, narrative }: { amount?: number; narrative: string },
): Promise<void> {
  const { tx, ...caller } = asActor(scene, scene.refs.key);
  await performAll(
    tx,
    moveFunds,
    holders.map(({ cardId, allowance }) => ({
      ...caller,
      kind: "credit" as const,
      cardId,
      amount: amount ?? allowance,
      narrative,
    })),
  );
}

/** Takes back what members have not spent: part of it, if they have that much. */
export async function takeBack(
  scene: Scene,
  holders: readonly Holder[],
  amount: number,
): Promise<void> {
  const { tx, ...caller } = asActor(scene, scene.refs.owner);
  await performAll(
    tx,
    moveFunds,
    holders.map(({ cardId }) => ({
      ...caller,
      kind: "debit" as const,
      cardId,
      amount,
      narrative: "Unspent allowance",
    })),
  );
}

/** Freezes a member's card, and later ends the freeze. */
export async function freeze(scene: Scene, holder: Holder, planned: Freeze): Promise<void> {
  const { reason, comment, end } = planned;
  await changeStatus(scene, {
    ...STAFF_LEVEL,
    cardId: holder.cardId,
    to: "frozen",
    reason,
    comment,
  });
  if (end) {
    scene.agenda.addAfter(end.afterHours * HOUR_MS, () =>
      end.how === "replace" ? replaceCard(scene, holder) : unfreeze(scene, holder),
    );
  }
}

async function unfreeze(scene: Scene, { cardId }: Holder): Promise<void> {
  await changeStatus(scene, { ...STAFF_LEVEL, cardId, to: "active" });
}

/** The owner freezes as staff do. */
const STAFF_LEVEL = { level: "staff", mayLift: FREEZE_LEVELS, statusVersion: null } as const;

async function changeStatus(scene: Scene, change: StatusChange): Promise<void> {
  const { tx, ...caller } = asActor(scene, scene.refs.owner);
  await performOne(tx, changeCardStatus, { ...change, ...caller });
}

/** Closes a member's card and issues another, on which their purchases continue. */
export async function replaceCard(scene: Scene, holder: Holder): Promise<void> {
  await close(scene, holder.cardId, "Replaced");
  holder.cardId = await issue(scene, { ...holder, validityDays: 1_095 }, holder.cardholderId);
  await credit(scene, [holder], { narrative: "Replacement card" });
}

/** Closes a card. */
export async function close(scene: Scene, cardId: string, comment: string): Promise<void> {
  await closeCard(asActor(scene, scene.refs.owner), cardId, { comment });
}

async function issue(scene: Scene, member: Member, cardholderId: string): Promise<string> {
  const { designType, singleUse, validityDays } = member;
  const card = await createVirtualCard(asActor(scene, scene.refs.key), {
    cardholderId,
    currency: "USD",
    designType,
    singleUse,
    validityDays,
    metadata: {},
  });
  return card.id;
}
