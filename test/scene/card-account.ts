import { getTransaction } from "#lib/transactions/transactions.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { newCard, newIntegrator, reading } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { holdId } from "./spending.ts";

/** The integrator of a file's tests, or of each test, and its card. */
export let integrator: TestIntegrator;
export let cardId: string;

/** Creates both: for `beforeAll` or `beforeEach`. The card is credited with `balance` of the `float`. */
export async function openCardAccount(float = 0, balance = 0): Promise<void> {
  integrator = await newIntegrator(float);
  cardId = (await newCard(integrator, balance)).id;
}

/** An authorization that holds 1 of the card's funds for this long. */
export function holdFor(expiresInS: number): Promise<string> {
  return holdId(integrator, { cardId, amount: 1, expiresInS });
}

export async function statusOf(transactionId: string, of = integrator): Promise<string> {
  return (await getTransaction(reading(of), transactionId)).status;
}

/** Sends a request with the integrator's key. */
export function ask(line: string, body?: unknown): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body });
}
