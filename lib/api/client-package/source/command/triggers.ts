import type { Account, Api, Card, User } from "./api.ts";
import { CommandFailure } from "./failure.ts";

/** Where to make an event happen. */
export interface Sandbox {
  api: Api;
  account: Account;
}

/** Makes one event happen. */
type Trigger = (sandbox: Sandbox) => Promise<unknown>;

/** A small amount, in minor units. */
const AMOUNT = 1_00;

/** How to make each event happen, through public operations alone. What they change for it, they change back. */
export const TRIGGERS: Readonly<Record<string, Trigger>> = {
  "card.created": newCard,
  "card.updated": withCard(({ api }, { id }) =>
    api.cards.update(id, { metadata: { triggered_at: new Date().toISOString() } }),
  ),
  "card.frozen": withCard(({ api }, { id }) => api.cards.freeze(id)),
  "card.unfrozen": async (at) => {
    const [frozen] = await at.api.cards.list({ status: "frozen", limit: 1 });
    const { id } = frozen ?? (await at.api.cards.freeze((await findCard(at)).id));
    await at.api.cards.unfreeze(id);
  },
  "card.closed": async (at) => at.api.cards.close((await newCard(at)).id),
  "card.credited": withCard((at, { id }) => credit(at, id)),
  "card.debited": withFundedCard(({ api }, { id }) =>
    api.cards.debit({ card_id: id, amount: AMOUNT }),
  ),
  "card.transaction": withFundedCard(({ api }, { id }) =>
    api.transactions.mock(id, { type: "deduct", amount: AMOUNT }),
  ),
  "card.reverse-transaction": withFundedCard(async ({ api }, { id }) => {
    await api.transactions.mock(id, { type: "deduct", amount: AMOUNT });
    await api.transactions.mock(id, { type: "deduct-reversal", amount: AMOUNT });
  }),
  "card.transaction-declined": withCard(({ api }, { id, available }) =>
    api.transactions.mock(id, { type: "deduct", amount: available + AMOUNT }),
  ),
  "float.topped-up": ({ api }) => api.float.topUp({ amount: AMOUNT }),
  "float.low-balance": (at) => withLowFloat(at, () => Promise.resolve()),
  "float.recovered": (at) => withLowFloat(at, () => at.api.float.topUp({ amount: 2 * AMOUNT })),
  "integrator.updated": async ({ api, account }) => {
    await api.account.update({ domain: `${Date.now()}.trigger.example` });
    await api.account.update({ domain: account.domain || "trigger.example" });
  },
  "user.kyc-verification": newUser,
  "user.updated": withNewUser(({ api }, id) => api.users.update(id, { first_name: "Ada" })),
  "user.archived": withNewUser(({ api }, id) => api.users.archive(id)),
  "user.unarchived": withNewUser(async ({ api }, id) => {
    await api.users.archive(id);
    await api.users.unarchive(id);
  }),
  "webhook.test": async ({ api, account }) => {
    if (account.webhook_url === null) {
      throw new CommandFailure(
        "webhook.test needs a webhook URL: it tests the delivery there. Set webhook_url first.",
      );
    }
    await api.webhooks.sendTest();
  },
};

function withCard(act: (at: Sandbox, card: Card) => Promise<unknown>): Trigger {
  return async (at) => act(at, await findCard(at));
}

function withFundedCard(act: (at: Sandbox, card: Card) => Promise<unknown>): Trigger {
  return withCard(async (at, card) =>
    act(at, card.available >= AMOUNT ? card : await credit(at, card.id)),
  );
}

function withNewUser(act: (at: Sandbox, id: string) => Promise<unknown>): Trigger {
  return async (at) => act(at, (await newUser(at)).id);
}

/** Lets the float fall below its threshold, acts, and sets the threshold back. */
async function withLowFloat(at: Sandbox, act: () => Promise<unknown>): Promise<void> {
  const { api, account } = at;
  const { id } = await findCard(at);
  await api.float.topUp({ amount: AMOUNT });
  const { balance } = await api.float.get();
  await api.settings.update({ low_balance_threshold: balance });
  try {
    await api.cards.credit({ card_id: id, amount: AMOUNT });
    await act();
  } finally {
    await api.settings.update({ low_balance_threshold: account.low_balance_threshold });
  }
}

async function credit({ api }: Sandbox, id: string): Promise<Card> {
  const { balance } = await api.float.get();
  if (balance < AMOUNT) {
    await api.float.topUp({ amount: AMOUNT });
  }
  return api.cards.credit({ card_id: id, amount: AMOUNT });
}

/** The newest active card, or a new one. */
async function findCard(at: Sandbox): Promise<Card> {
  const [card] = await at.api.cards.list({ status: "active", limit: 1 });
  return card ?? newCard(at);
}

async function newCard(at: Sandbox): Promise<Card> {
  const { api, account } = at;
  const { data: users } = await api.users.list({ archived: "false", limit: 1 });
  const user = users[0] ?? (await newUser(at));
  const { data: card } = await api.cards.createVirtual({
    user_id: user.id,
    currency: account.float_currencies[0],
    design_type: "PLATINUM",
    single_use: false,
    source: "integrator",
    validity: 365,
  });
  return card;
}

async function newUser({ api, account }: Sandbox): Promise<User> {
  const { data } = await api.users.register(account.id, {
    address: { city: "Boston", country: "US", line1: "1 Trigger Street" },
    email: `trigger-${Date.now()}@example.com`,
    first_name: "Taylor",
    last_name: "Trigger",
    id_number: "000000000",
    id_type: "passport",
    phone_number: "+16175550100",
  });
  return data;
}
