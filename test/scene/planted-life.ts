import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { askInWords } from "./approvals.ts";
import { newProcessorKey } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { Planter, TYPED } from "./planted-values.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { newId } from "#lib/base/ids.ts";
import type { TestStaff } from "./staff.ts";

/** A request that was sent, so that it can be repeated. */
export interface Sent {
  id: string;
  repeat: () => Promise<ApiReply>;
  reply: ApiReply;
}

/** A cardholder who has left values everywhere: with each request that can hold one. */
export class PlantedLife {
  readonly planter: Planter;
  readonly sent: Sent[] = [];
  readonly integrator: TestIntegrator;
  userId = "";
  cardId = "";
  private processorKey = "";

  /** @param name what the planted values begin with. */
  constructor(integrator: TestIntegrator, name: string) {
    this.planter = new Planter(name);
    this.integrator = integrator;
  }

  get planted(): readonly string[] {
    return this.planter.planted;
  }

  async live(): Promise<void> {
    this.processorKey = await newProcessorKey();
    const user = await this.send("registerUser", this.integrator.id);
    this.userId = idIn(user);
    await this.send("updateUser", this.userId);
    const { cardId } = await this.issue();
    this.cardId = cardId;
    await this.send("updateCard", cardId);
    for (const id of ["creditCard", "topUpCard", "debitCard"]) {
      await this.send(id, cardId, { card_id: cardId, amount: 100 });
    }
    await this.spend();
    await this.send("freezeCard", cardId, { reason: "inactivity" });
    await this.send("freezeCard", cardId, { reason: "other" });
    await this.send("unfreezeCard", cardId);
    await this.send("createNote", cardId);
    await this.replace();
  }

  /** Replaces a further card, and closes its successor. */
  private async replace(): Promise<void> {
    const { cardId } = await this.issue();
    const replaced = await this.send("replaceCard", cardId);
    await this.send("closeCard", idIn(replaced));
  }

  private async issue() {
    const body = { user_id: this.userId, currency: "USD", design_type: "midnight" };
    const card = await this.send("createVirtualCard", "", {
      ...body,
      single_use: false,
      validity: 30,
    });
    return { cardId: idIn(card) };
  }

  private async spend(): Promise<void> {
    const card = { card_id: this.cardId, amount: 10 };
    const network = { ...card, currency: "USD", reference: `${this.cardId}-1` };
    await this.send("mockTransaction", this.cardId, { type: "deduct", amount: 20 });
    await this.send("mockTransaction", this.cardId, {
      type: "deduct",
      amount: 20,
      decline_with: "card_frozen",
    });
    await this.send("createAuthorization", "", { ...network, amount: 1_000_000 });
    await this.send("createRefund", "", { ...card, reference: `${this.cardId}-2` });
    await this.send("createPosting", "", { ...card, reference: `${this.cardId}-3` });
    await this.capture(network);
  }

  /** Captures an authorization, and tells of a refund that cannot be booked. */
  private async capture(network: object): Promise<void> {
    const reference = `${this.cardId}-4`;
    const authorized = await this.send("createAuthorization", "", { ...network, reference });
    const { id } = authorized.json as { id: string };
    await this.send("createCapture", id, { reference: `${this.cardId}-5` });
    const body = {
      ...this.planter.plant(toTyped("createRefund")),
      reference: `${this.cardId}-6`,
      card_id: this.cardId,
      transaction_id: newId(),
      amount: 1,
    };
    await call("POST /processor/refunds", { key: this.processorKey, body });
  }

  /** Lets a member of staff save a view that names the cardholder. */
  async saveView({ headers }: TestStaff): Promise<void> {
    const { json } = await call(`GET /card-integrators/card-users/${this.userId}`, {
      key: this.integrator.apiKey,
    });
    const { first_name: name, email } = (json as { data: Record<string, string> }).data;
    const query = new URLSearchParams({ search: String(email) }).toString();
    const { status, text } = await call("POST /views", {
      headers: { ...headers, "Idempotency-Key": `view-of-${this.userId}` },
      body: { list: "cardholders", name, query, shared: true },
    });
    if (status !== 201) {
      throw new Error(`A view was answered ${status}: ${text}`);
    }
  }

  /** Lets people ask for moves of the card in words that name the cardholder. */
  async askForApproval(owner: TestStaff): Promise<void> {
    const [words = ""] = this.planted;
    await askInWords(this.integrator, owner, { cardId: this.cardId, words });
  }

  /** Closes the card, which returns what is on it to the float. */
  close(): Promise<ApiReply> {
    return this.send("closeCard", this.cardId);
  }

  /** Sends the operation with values planted in it, under a key of its own. */
  private async send(id: string, at: string, members: object = {}): Promise<ApiReply> {
    const operation = toTyped(id);
    const planted = { ...members, ...this.planter.plant(operation) };
    const body = operation.kind === "processor" ? withBell(planted) : planted;
    const line = `${operation.method} ${operation.path.replace("{id}", at)}`;
    const key = operation.kind === "processor" ? this.processorKey : this.integrator.apiKey;
    const headers = { "Idempotency-Key": `${this.planter.name}-${this.sent.length}` };
    const repeat = () => call(line, { key, body, headers });
    const reply = await repeat();
    if (reply.status >= 300) {
      throw new Error(`${line} was answered ${reply.status}: ${reply.text}`);
    }
    this.sent.push({ id, repeat, reply });
    return reply;
  }
}

function toTyped(id: string): Operation {
  const operation = TYPED.find((each) => each.id === id);
  if (!operation) {
    throw new Error(`${id} cannot hold a text.`);
  }
  return operation;
}

/** With a control character in the narrative, for which the card network's text is kept as it came, too. */
function withBell(body: { narrative?: unknown }): object {
  return { ...body, narrative: `${String(body.narrative)}\u0007` };
}

function idIn({ json }: ApiReply): string {
  return (json as { data: { id: string } }).data.id;
}
