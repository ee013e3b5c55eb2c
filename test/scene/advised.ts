import { beforeAll, beforeEach } from "vitest";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { newCard, newIntegrator, newProcessorKey } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { newId } from "#lib/base/ids.ts";

/** A card, and the messages of the card network about one authorization on it. */
export class Advised {
  readonly reference = newId();
  readonly key: string;
  readonly integrator: TestIntegrator;
  readonly cardId: string;

  private constructor(key: string, integrator: TestIntegrator, cardId: string) {
    this.key = key;
    this.integrator = integrator;
    this.cardId = cardId;
  }

  /** On a card of 1,000. */
  static async on(key: string, integrator: TestIntegrator): Promise<Advised> {
    return new Advised(key, integrator, (await newCard(integrator, 1_000)).id);
  }

  ask(amount: number, body: object = {}): Promise<ApiReply> {
    const asked = { reference: this.reference, card_id: this.cardId, amount, currency: "USD" };
    return this.send("authorizations", { ...asked, ...body });
  }

  /** About an authorization that was, or could have been, asked for. */
  advise(amount: number, body: object = {}): Promise<ApiReply> {
    const about = { reference: newId(), authorization_reference: this.reference };
    return this.ask(amount, { ...about, advice: true, ...body });
  }

  capture(amount: number, body: object = {}): Promise<ApiReply> {
    const about = { authorization_reference: this.reference, card_id: this.cardId };
    return this.send("captures", { ...about, amount, ...body });
  }

  /** Reverses it, in whole or in part. */
  release(body: object = {}): Promise<ApiReply> {
    return this.send("reversals", { authorization_reference: this.reference, ...body });
  }

  /** Freezes or closes the card. */
  change(operation: string): Promise<ApiReply> {
    const line = operation.replace("{id}", this.cardId);
    return call(line, { key: this.integrator.apiKey, body: {} });
  }

  async readMoney() {
    const { json } = await this.read(`/cards/${this.cardId}`);
    const { balance, held } = json as { balance: number; held: number };
    return { balance, held };
  }

  async readTransaction(id: string): Promise<unknown> {
    const { json } = await this.read(`/transactions/${id}`);
    return (json as { data: unknown }).data;
  }

  private read(path: string): Promise<ApiReply> {
    return call(`GET ${path}`, { key: this.integrator.apiKey });
  }

  private send(path: string, body: object): Promise<ApiReply> {
    return call(`POST /processor/${path}`, {
      key: this.key,
      body: { reference: newId(), ...body },
    });
  }
}

/** The running test's own authorization, and what all of them share. */
export let on: Advised;
export let key: string;
export let integrator: TestIntegrator;

/** Gives each test of this file a card of 1,000, and an authorization on it, of its own. */
export function useAdvised(): void {
  beforeAll(async () => {
    key = await newProcessorKey();
    integrator = await newIntegrator(100_000);
  });
  beforeEach(async () => {
    on = await Advised.on(key, integrator);
  });
}

/** The id that an authorization is answered with. */
export const idOf = ({ json }: ApiReply) => (json as { id: string }).id;

/** The transaction of that answer, as it is now. */
export const transactionOf = (reply: ApiReply) => on.readTransaction(idOf(reply));
