import { authorizeByNetwork, change, closeCard, credit, issueCard, label, mock } from "../asks.ts";
import { post, read, registerUser, replaceCard } from "../asks.ts";
import type { AdminClient } from "../admin-client.ts";
import { idsOf } from "../admin-client.ts";
import { isAcknowledged } from "../history.ts";

const FUNDS = 500;
const SPENT = 20;

/** Registers a cardholder, changes them, gives them a card that is spent from while it closes, and archives them. */
export async function serveCardholder(client: AdminClient): Promise<void> {
  const registered = await client.asKey(registerUser(client.integratorId, client.newMarker()));
  if (!isAcknowledged(registered)) {
    return;
  }
  const userId = String(registered.data["id"]);
  const path = `/card-integrators/card-users/${userId}`;
  const marker = client.newMarker();
  const body = { first_name: marker };
  const updated = await client.asKey({
    ...change("updateUser", path, body),
    target: userId,
    marker,
  });
  if (isAcknowledged(updated)) {
    const shown = await client.asKey(read("getUser", path));
    client.requireShown(
      shown,
      `the new name of ${userId}`,
      (user) => user["first_name"] === marker,
    );
  }
  const card = await client.asKey(issueCard(userId));
  if (isAcknowledged(card)) {
    const replacement = await replaceTwice(client, String(card.data["id"]));
    await closeWhileSpending(client, replacement);
  }
  await archive(client, userId, path);
}

/** Two people replace a card while it is spent from: there is one new card. @returns the card to go on with. */
async function replaceTwice(client: AdminClient, cardId: string): Promise<string> {
  await client.asKey(credit(cardId, FUNDS));
  const [authorized, ...replaced] = await Promise.all([
    client.asKey(authorizeByNetwork(cardId, SPENT)),
    client.asKey(replaceCard(cardId, client.newMarker())),
    client.asKey(replaceCard(cardId, client.newMarker())),
  ]);
  const body = { authorization_reference: authorized.key };
  const reversal = post("network_reversal_by_reference", "/processor/reversals", { body });
  await client.asKey({ ...reversal, cardId });
  const replacements = replaced.filter(isAcknowledged).map(({ data }) => String(data["id"]));
  const shown = await client.asKey(read("getCard", `/cards/${cardId}`));
  for (const id of replacements) {
    client.requireShown(
      shown,
      `card ${cardId} as replaced by ${id}`,
      (old) => old["replaced_by"] === id,
    );
  }
  return replacements[0] ?? cardId;
}

/** Purchases and authorizations come in while the card closes. Those that are sent after its answer are declined. */
async function closeWhileSpending(client: AdminClient, cardId: string): Promise<void> {
  const cards = await client.asKey(read("listCards", "/cards?limit=20"));
  client.requireShown(cards, `card ${cardId}`, (list) => idsOf(list).includes(cardId));
  await client.asKey(credit(cardId, FUNDS));
  const [closed, authorized] = await Promise.all([
    client.asKey(closeCard(cardId, client.newMarker())),
    client.asKey(authorizeByNetwork(cardId, SPENT)),
    client.asKey(mock("deduct", cardId, { amount: SPENT })),
  ]);
  const body = { authorization_reference: authorized.key };
  const reversal = post("network_reversal_by_reference", "/processor/reversals", { body });
  await client.asKey({ ...reversal, cardId });
  if (isAcknowledged(closed)) {
    const shown = await client.asKey(read("getCard", `/cards/${cardId}`));
    client.requireShown(shown, `card ${cardId} as closed`, ({ status }) => status === "closed");
  }
  await client.asKey(authorizeByNetwork(cardId, SPENT));
  await client.asKey(mock("deduct", cardId, { amount: SPENT }));
  await client.asKey(mock("deduct-reversal", cardId, { amount: 1 }));
  await client.asKey(credit(cardId, SPENT));
  // A closed card can be labeled too.
  await client.asKey(label(cardId, client.newMarker()));
}

async function archive(client: AdminClient, userId: string, path: string): Promise<void> {
  const archived = await client.asKey(post("archiveUser", `${path}/archive`, { target: userId }));
  if (!isAcknowledged(archived)) {
    return;
  }
  client.requireStatus(await client.asKey(issueCard(userId)), `archived cardholder ${userId}`, 409);
  const unarchived = await client.asKey(
    post("unarchiveUser", `${path}/unarchive`, { target: userId }),
  );
  if (isAcknowledged(unarchived)) {
    const shown = await client.asKey(read("getUser", path));
    client.requireShown(shown, `${userId} as unarchived`, ({ archived: is }) => is === false);
  }
}
