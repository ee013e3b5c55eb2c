import { authorizeByNetwork, change, closeCard, credit, issueCard, label, mock } from "../asks.ts";
import { post, read, registerUser, replaceCard } from "../asks.ts";
import type { Desk } from "../desk.ts";
import { idsOf } from "../desk.ts";
import { isAcknowledged } from "../history.ts";

const FUNDS = 500;
const SPENT = 20;

/** Registers a cardholder, changes them, gives them a card that is spent from while it closes, and archives them. */
export async function serveCardholder(desk: Desk): Promise<void> {
  const registered = await desk.asKey(registerUser(desk.integratorId, desk.newMarker()));
  if (!isAcknowledged(registered)) {
    return;
  }
  const userId = String(registered.data["id"]);
  const path = `/card-integrators/card-users/${userId}`;
  const marker = desk.newMarker();
  const body = { first_name: marker };
  const updated = await desk.asKey({
    ...change("updateUser", path, body),
    target: userId,
    marker,
  });
  if (isAcknowledged(updated)) {
    const shown = await desk.asKey(read("getUser", path));
    desk.requireShown(shown, `the new name of ${userId}`, (user) => user["first_name"] === marker);
  }
  const card = await desk.asKey(issueCard(userId));
  if (isAcknowledged(card)) {
    const replacement = await replaceTwice(desk, String(card.data["id"]));
    await closeWhileSpending(desk, replacement);
  }
  await archive(desk, userId, path);
}

/** Two people replace a card while it is spent from: there is one new card. @returns the card to go on with. */
async function replaceTwice(desk: Desk, cardId: string): Promise<string> {
  await desk.asKey(credit(cardId, FUNDS));
  const [authorized, ...replaced] = await Promise.all([
    desk.asKey(authorizeByNetwork(cardId, SPENT)),
    desk.asKey(replaceCard(cardId, desk.newMarker())),
    desk.asKey(replaceCard(cardId, desk.newMarker())),
  ]);
  const body = { authorization_reference: authorized.key };
  const reversal = post("network_reversal_by_reference", "/processor/reversals", { body });
  await desk.asKey({ ...reversal, cardId });
  const replacements = replaced.filter(isAcknowledged).map(({ data }) => String(data["id"]));
  const shown = await desk.asKey(read("getCard", `/cards/${cardId}`));
  for (const id of replacements) {
    desk.requireShown(
      shown,
      `card ${cardId} as replaced by ${id}`,
      (old) => old["replaced_by"] === id,
    );
  }
  return replacements[0] ?? cardId;
}

/** Purchases and authorizations come in while the card closes. Those that are sent after its answer are declined. */
async function closeWhileSpending(desk: Desk, cardId: string): Promise<void> {
  const cards = await desk.asKey(read("listCards", "/cards?limit=20"));
  desk.requireShown(cards, `card ${cardId}`, (list) => idsOf(list).includes(cardId));
  await desk.asKey(credit(cardId, FUNDS));
  const [closed, authorized] = await Promise.all([
    desk.asKey(closeCard(cardId, desk.newMarker())),
    desk.asKey(authorizeByNetwork(cardId, SPENT)),
    desk.asKey(mock("deduct", cardId, { amount: SPENT })),
  ]);
  const body = { authorization_reference: authorized.key };
  const reversal = post("network_reversal_by_reference", "/processor/reversals", { body });
  await desk.asKey({ ...reversal, cardId });
  if (isAcknowledged(closed)) {
    const shown = await desk.asKey(read("getCard", `/cards/${cardId}`));
    desk.requireShown(shown, `card ${cardId} as closed`, ({ status }) => status === "closed");
  }
  await desk.asKey(authorizeByNetwork(cardId, SPENT));
  await desk.asKey(mock("deduct", cardId, { amount: SPENT }));
  await desk.asKey(mock("deduct-reversal", cardId, { amount: 1 }));
  await desk.asKey(credit(cardId, SPENT));
  // A closed card can be labeled too.
  await desk.asKey(label(cardId, desk.newMarker()));
}

async function archive(desk: Desk, userId: string, path: string): Promise<void> {
  const archived = await desk.asKey(post("archiveUser", `${path}/archive`, { target: userId }));
  if (!isAcknowledged(archived)) {
    return;
  }
  desk.requireStatus(await desk.asKey(issueCard(userId)), `archived cardholder ${userId}`, 409);
  const unarchived = await desk.asKey(
    post("unarchiveUser", `${path}/unarchive`, { target: userId }),
  );
  if (isAcknowledged(unarchived)) {
    const shown = await desk.asKey(read("getUser", path));
    desk.requireShown(shown, `${userId} as unarchived`, ({ archived: is }) => is === false);
  }
}
