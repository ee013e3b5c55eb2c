import type { Call, Need, Trigger } from "#lib/events/event.ts";
import type { Account, Api, Card, User } from "./api.ts";

/** Where to make an event happen. */
interface Sandbox {
  api: Api;
  account: Account;
}

/** The values that calls name with a `$`. */
type Known = Readonly<Record<string, unknown>>;

/** Provides what a trigger needs, acts, and changes back what it changed. */
type Stage = (at: Sandbox, act: (known?: Known) => Promise<void>) => Promise<void>;

/** A small amount, in minor units. */
const AMOUNT = 1_00;

/** Makes one event happen, through public operations alone. */
export async function pull({ needs, calls }: Trigger, at: Sandbox): Promise<void> {
  const act = async (known: Known = {}) => {
    const all = {
      now: new Date().toISOString(),
      domain: at.account.domain || "trigger.example",
      ...known,
    };
    for (const call of calls) {
      await perform(at.api, call, all);
    }
  };
  await (needs ? STAGES[needs](at, act) : act());
}

const STAGES: Readonly<Record<Need, Stage>> = {
  "active card": async (at, act) => act({ card: (await findCard(at)).id }),
  "new card": async (at, act) => act({ card: (await newCard(at)).id }),
  "new cardholder": async (at, act) => act({ user: (await newUser(at)).id }),
  "float at its threshold": async (at, act) => {
    const { api, account } = at;
    const { id: card } = await findCard(at);
    await api.float.topUp({ amount: AMOUNT });
    const { balance } = await api.float.get();
    await api.settings.update({ low_balance_threshold: balance });
    try {
      await act({ card });
    } finally {
      await api.settings.update({ low_balance_threshold: account.low_balance_threshold });
    }
  },
  "card without funds": async (at, act) => {
    const { api } = at;
    const { id: card } = await newCard(at);
    const { available } = await api.float.get();
    const beyond = available + AMOUNT;
    await act({ card, beyond });
    await api.float.topUp({ amount: beyond });
  },
};

async function perform(api: Api, [method, ...input]: Call, known: Known): Promise<void> {
  const [noun = "", verb = ""] = method.split(".");
  const given: unknown[] = JSON.parse(JSON.stringify(input), (_name, value: unknown) =>
    typeof value === "string" && value.startsWith("$") ? known[value.slice(1)] : value,
  );
  // Every member of the client has methods; which ones, its types say to the package's users only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const nouns = api as unknown as Record<string, Record<string, (...given: unknown[]) => unknown>>;
  await nouns[noun]?.[verb]?.(...given);
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
