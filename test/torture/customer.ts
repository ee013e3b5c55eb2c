import { Random } from "#test/faults/fuzz-random.ts";
import { newClient } from "#test/faults/load.ts";
import type { PausableWorkload } from "./pausable-workload.ts";
import type { History, Recorded } from "./history.ts";
import { isAcknowledged, toKept } from "./history.ts";
import {
  authorizeByNetwork,
  change,
  credit,
  fund,
  issueCard,
  label,
  later,
  mock,
  moveWebhooks,
  note,
  post,
  read,
  postByNetwork,
  refundByNetwork,
  registerUser,
  takeBack,
} from "./asks.ts";
import type { Reported } from "./asks.ts";
import { send } from "./send.ts";
import type { Ask, Sender } from "./send.ts";

const CARDS = 3;
const FUNDS = 20_000;
const AMOUNT_MAX = 400;
const REFUND_MAX = 5;
/** How many answers are lost on their way, so that the program repeats the request. */
const FORGOTTEN = 0.1;
/** How often the network takes something back. */
const TAKEN_BACK = 0.05;
const REPORTED_KINDS: Readonly<Record<string, Reported["kind"]>> = {
  network_posting: "posting",
  network_refund: "refund",
};
/** How many authorizations and purchases a program still thinks of. */
const RECENT_MAX = 50;

/** An integrator with funded cards, whose programs and network send any operation at any time. */
export class Customer {
  readonly integratorId: string;
  /** Of its owner, who signs in. */
  readonly email: string;
  readonly cardIds: string[];
  readonly random: Random;
  readonly history: History;
  private readonly own: Sender;
  private readonly network: Sender;
  private readonly authorizations: {
    id: string;
    cardId: string;
    operation: string;
    key: string;
  }[] = [];
  /** What the network has reported and not taken back. */
  private readonly reported: Reported[] = [];
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
      headers: { Authorization: credential },
      baseUrl: () => random.pick(place.baseUrls),
      newKey: () => random.uuid(),
      forgets: () => random.chance(FORGOTTEN),
      address: () => random.address(),
    });
    const own = sender(headers["Authorization"] ?? "");
    const cardIds: string[] = [];
    const senders = { own, network: sender(`Bearer ${place.processorKey}`), email };
    const customer = new Customer(senders, cardIds, { random, history });
    await customer.perform(moveWebhooks(place.webhookUrl, random.uuid()));
    for (let made = 0; made < CARDS; made += 1) {
      cardIds.push(await customer.issue());
    }
    for (const cardId of cardIds) {
      await customer.perform({ ...credit(cardId, FUNDS) });
    }
    return customer;
  }

  /** Sends one operation after another until told to stop. */
  async work(isOver: () => boolean, workload: PausableWorkload): Promise<void> {
    while (!isOver()) {
      await workload.step(() => this.performNext());
    }
  }

  /** Advances the clock past the deadline of every authorization. */
  async jump(): Promise<void> {
    const body = { by_seconds: 8 * 86_400 };
    await this.perform(post("advance", "/sandbox/clock/advance", { body }));
  }

  private async issue(): Promise<string> {
    const user = await this.perform(registerUser(this.integratorId, this.random.uuid()));
    const card = await this.perform(issueCard(String(user.data["id"])));
    return String(card.data["id"]);
  }

  /** Sends a request with other headers than those of its key: those of a person, of another key, or none. */
  async performAs(headers: Readonly<Record<string, string>>, ask: Ask): Promise<Recorded> {
    return this.record(await send({ ...this.own, headers }, ask));
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
      change("top_up_card", "/cards/top-up", { card_id: cardId, amount }),
      change("top-up", "/card-integrators/top-up-float", { amount }),
      fund(this.integratorId, amount),
      change("freeze", [`/cards/${cardId}/freeze`, cardId], { reason: "lost" }),
      change("freeze", [`/cards/${cardId}/freeze`, cardId], { reason: "lost", level: "staff" }),
      change("unfreeze", [`/cards/${cardId}/unfreeze`, cardId], {}),
      mock("deduct", cardId, { amount }),
      mock("authorize", cardId, { amount }),
      mock("verification", cardId, {}),
      label(cardId, this.random.uuid()),
      note(cardId, this.random.uuid()),
      read("getCard", `/cards/${cardId}`),
      read("listCardTransactions", `/cards/${cardId}/transactions?limit=20`),
      read("getFloat", "/card-integrators/float"),
      read("listEvents", "/events?limit=20"),
      read("listTransactions", "/transactions?limit=20"),
      authorizeByNetwork(cardId, amount),
      mock("posting", cardId, { amount }),
      postByNetwork(cardId, amount),
      refundByNetwork(cardId, 1 + this.random.below(REFUND_MAX), {}),
      ...(authorization ? later(authorization, this.random.below(12)) : []),
      ...(authorization?.operation === "network_authorize"
        ? [
            refundByNetwork(authorization.cardId, 1 + this.random.below(REFUND_MAX), {
              authorization_reference: authorization.key,
            }),
          ]
        : []),
      ...(purchase
        ? [
            mock("refund", purchase.cardId, {
              transaction_id: purchase.id,
              amount: 1 + this.random.below(REFUND_MAX),
            }),
            mock("deduct-reversal", purchase.cardId, { amount: 1 }),
            refundByNetwork(purchase.cardId, 1 + this.random.below(REFUND_MAX), {
              transaction_id: purchase.id,
            }),
          ]
        : []),
    ];
    if (this.random.chance(TAKEN_BACK)) {
      await this.takeBackNext({ cardId, amount });
    } else {
      await this.perform(this.random.pick(asks));
    }
  }

  /** Takes back what the network has reported, or first, and only then reports it. */
  private async takeBackNext({ cardId, amount }: { cardId: string; amount: number }) {
    const reported = this.reported.shift();
    if (reported) {
      await this.perform(takeBack(reported));
      return;
    }
    const reference = this.random.uuid();
    await this.perform(takeBack({ reference, kind: "posting", cardId, amount }));
    const network = { ...this.network, newKey: () => reference };
    this.record(await send(network, postByNetwork(cardId, amount)));
  }

  /** Sends a request with its key; one of the card network, with the network's. */
  async perform(ask: Ask): Promise<Recorded> {
    const isNetwork = ask.path.startsWith("/processor/");
    const recorded = this.record(await send(isNetwork ? this.network : this.own, ask));
    if (isAcknowledged(recorded)) {
      this.remember(recorded);
    }
    return recorded;
  }

  private record(recorded: Recorded): Recorded {
    this.history.requests.push(toKept(recorded));
    return recorded;
  }

  /** Keeps what later operations need. */
  private remember({ data, cardId, operation, key, amount }: Recorded): void {
    const id = data["id"];
    if (typeof id !== "string" || !cardId) {
      return;
    }
    const isOpen = data["status"] === "authorized" || data["decision"] === "approved";
    if (isOpen && operation.endsWith("authorize")) {
      keepRecent(this.authorizations, { id, cardId, operation, key });
    }
    if (operation === "deduct" && data["status"] === "settled") {
      keepRecent(this.purchases, { id, cardId });
    }
    const kind = REPORTED_KINDS[operation];
    if (kind && amount !== null) {
      keepRecent(this.reported, { reference: key, kind, cardId, amount });
    }
  }
}

function keepRecent<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > RECENT_MAX) {
    items.shift();
  }
}
