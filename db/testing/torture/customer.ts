import { Random } from "../faults/fuzz-random.ts";
import { newClient } from "../faults/load.ts";
import type { Gate } from "./gate.ts";
import type { History, Recorded } from "./history.ts";
import { isAcknowledged, toKept } from "./history.ts";
import { send } from "./send.ts";
import type { Ask, Sender } from "./send.ts";

const CARDS = 3;
const FUNDS = 20_000;
const AMOUNT_MAX = 400;
/** How many answers are lost on their way, so that the program repeats the request. */
const FORGOTTEN = 0.1;
/** How many authorizations and purchases a program still thinks of. */
const RECENT_MAX = 50;

/** An integrator with funded cards, whose programs and network send any operation at any time. */
export class Customer {
  readonly integratorId: string;
  /** Of its owner, who signs in. */
  readonly email: string;
  readonly cardIds: string[];
  private readonly own: Sender;
  private readonly network: Sender;
  private readonly random: Random;
  private readonly history: History;
  private readonly authorizations: { id: string; cardId: string; operation: string }[] = [];
  private readonly purchases: { id: string; cardId: string }[] = [];

  private constructor(
    { email, ...senders }: { own: Sender; network: Sender; email: string },
    cardIds: string[],
    { random, history }: { random: Random; history: History },
  ) {
    this.email = email;
    this.own = senders.own;
    this.network = senders.network;
    this.integratorId = senders.own.integratorId;
    this.cardIds = cardIds;
    this.random = random;
    this.history = history;
  }

  static async create(
    place: { baseUrls: readonly string[]; processorKey: string; webhookUrl: string },
    { seed, history }: { seed: number; history: History },
  ): Promise<Customer> {
    const random = new Random(seed);
    const { integratorId, email, headers } = await newClient({ baseUrl: place.baseUrls[0] ?? "" });
    const sender = (credential: string): Sender => ({
      integratorId,
      credential,
      baseUrl: () => random.pick(place.baseUrls),
      newKey: () => random.uuid(),
      forgets: () => random.chance(FORGOTTEN),
    });
    const own = sender((headers["Authorization"] ?? "").replace("Bearer ", ""));
    const cardIds: string[] = [];
    const senders = { own, network: sender(place.processorKey), email };
    const customer = new Customer(senders, cardIds, { random, history });
    const webhooks = { webhook_url: place.webhookUrl };
    await customer.perform({
      operation: "webhook_url",
      method: "PATCH",
      path: "/card-integrators/update",
      body: webhooks,
    });
    for (let made = 0; made < CARDS; made += 1) {
      cardIds.push(await customer.issue());
    }
    for (const cardId of cardIds) {
      await customer.perform({ ...credit(cardId, FUNDS) });
    }
    return customer;
  }

  /** Sends one operation after another until told to stop. */
  async work(isOver: () => boolean, gate: Gate): Promise<void> {
    while (!isOver()) {
      await gate.pass(() => this.performNext());
    }
  }

  /** Advances the clock past the deadline of every authorization. */
  async jump(): Promise<void> {
    await this.perform({
      operation: "advance",
      method: "POST",
      path: "/sandbox/clock/advance",
      body: { by_seconds: 8 * 86_400 },
    });
  }

  private async issue(): Promise<string> {
    const user = await this.perform({
      operation: "register_user",
      method: "POST",
      path: `/card-integrators/${this.integratorId}/register-user`,
      body: {
        address: { city: "Accra", country: "GH", line1: "2 Ring Road" },
        email: `${this.random.uuid()}@northwind.example`,
        first_name: "Lin",
        last_name: "Osei",
        id_number: "X1234567",
        id_type: "passport",
        phone_number: "+233200000000",
      },
    });
    const card = await this.perform({
      operation: "issue",
      method: "POST",
      path: "/cards/create-virtual-card",
      body: {
        user_id: user.data["id"],
        currency: "USD",
        design_type: "midnight",
        single_use: false,
        validity: 1_825,
      },
    });
    return String(card.data["id"]);
  }

  private async performNext(): Promise<void> {
    const cardId = this.random.pick(this.cardIds);
    const amount = 1 + this.random.below(AMOUNT_MAX);
    const authorization =
      this.authorizations[this.random.below(this.authorizations.length + 1)] ?? null;
    const purchase = this.purchases[this.random.below(this.purchases.length + 1)] ?? null;
    const asks: Ask[] = [
      credit(cardId, amount),
      credit(cardId, amount),
      change("debit", "/cards/debit/balance", { card_id: cardId, amount }),
      change("top-up", "/card-integrators/top-up-float", { amount }),
      change("freeze", [`/cards/${cardId}/freeze`, cardId], { reason: "lost" }),
      change("unfreeze", [`/cards/${cardId}/unfreeze`, cardId], {}),
      mock("deduct", cardId, { amount }),
      mock("authorize", cardId, { amount }),
      change("metadata", [`/cards/${cardId}`, cardId], { metadata: { note: String(amount) } }),
      read(`/cards/${cardId}`),
      read(`/cards/${cardId}/transactions?limit=20`),
      read("/card-integrators/float"),
      read("/events?limit=20"),
      read("/transactions?limit=20"),
      {
        operation: "network_authorize",
        method: "POST",
        path: "/processor/authorizations",
        body: { card_id: cardId, amount, currency: "USD" },
        cardId,
        amount,
      },
      ...(authorization ? later(authorization, this.random.below(3)) : []),
      ...(purchase
        ? [
            mock("refund", purchase.cardId, {
              transaction_id: purchase.id,
              amount: 1 + this.random.below(5),
            }),
          ]
        : []),
    ];
    await this.perform(this.random.pick(asks));
  }

  private async perform(ask: Ask) {
    const isNetwork = ask.path.startsWith("/processor/");
    const recorded = await send(isNetwork ? this.network : this.own, ask);
    this.history.requests.push(toKept(recorded));
    if (isAcknowledged(recorded)) {
      this.remember(recorded);
    }
    return recorded;
  }

  /** Keeps what later operations need. */
  private remember({ data, cardId, operation }: Recorded): void {
    const id = data["id"];
    if (typeof id !== "string" || !cardId) {
      return;
    }
    const isOpen = data["status"] === "authorized" || data["decision"] === "approved";
    if (isOpen && operation.endsWith("authorize")) {
      keepRecent(this.authorizations, { id, cardId, operation });
    }
    if (operation === "deduct" && data["status"] === "settled") {
      keepRecent(this.purchases, { id, cardId });
    }
  }
}

function keepRecent<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > RECENT_MAX) {
    items.shift();
  }
}

/** @param place the path, and the card in it when the body names none. */
function change(
  operation: string,
  place: string | [path: string, cardId: string],
  body: Record<string, unknown>,
): Ask {
  const [path, cardId = body["card_id"]] = typeof place === "string" ? [place] : place;
  const amount = body["amount"];
  return {
    operation,
    method: "PATCH",
    path,
    body,
    ...(typeof cardId === "string" ? { cardId } : {}),
    ...(typeof amount === "number" ? { amount } : {}),
  };
}

function credit(cardId: string, amount: number): Ask {
  return change("credit", "/cards/credit/balance", { card_id: cardId, amount });
}

function mock(
  type: string,
  cardId: string,
  body: { amount?: number; transaction_id?: string },
): Ask {
  return {
    ...change(type, [`/cards/${cardId}/mock-transaction`, cardId], { type, ...body }),
    method: "POST",
  };
}

function read(path: string): Ask {
  return { operation: "read", method: "GET", path };
}

/** What the network does with an authorization later. Whichever of them is first decides about the rest. */
function later(
  { id, cardId, operation }: { id: string; cardId: string; operation: string },
  which: number,
): Ask[] {
  const acts =
    operation === "authorize"
      ? [
          mock("capture", cardId, { transaction_id: id, amount: 1 + which }),
          mock("reversal", cardId, { transaction_id: id }),
          mock("expire", cardId, { transaction_id: id }),
        ]
      : [
          {
            ...change("network_capture", [`/processor/authorizations/${id}/captures`, cardId], {
              amount: 1 + which,
            }),
            method: "POST" as const,
          },
          {
            ...change(
              "network_reversal",
              [`/processor/authorizations/${id}/reversals`, cardId],
              {},
            ),
            method: "POST" as const,
          },
        ];
  return acts.slice(which % acts.length, (which % acts.length) + 1);
}
