import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { newCard, newIntegrator } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";

/** The integrator of a file's tests, or of each test, and its card. */
export let integrator: TestIntegrator;
export let cardId: string;

/** Creates both: for `beforeAll` or `beforeEach`. The card is credited with `balance` of the `float`. */
export async function openCardAccount(float = 0, balance = 0): Promise<void> {
  integrator = await newIntegrator(float);
  cardId = (await newCard(integrator, balance)).id;
}

/** Sends a request with the integrator's key. */
export function ask(line: string, body?: unknown): Promise<ApiReply> {
  return call(line, { key: integrator.apiKey, body });
}
