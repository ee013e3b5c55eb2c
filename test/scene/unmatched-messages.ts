import { beforeAll } from "vitest";
import { runCommand } from "../../bin/floatdeck-cli.ts";
import { call } from "./api-client.ts";
import type { ApiReply } from "./api-client.ts";
import { newCard, newIntegrator, newProcessorKey } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { testDatabase } from "#test/database/database.ts";

/** What the operator sees and does of the card network's messages that are not in the books, with the command. */

/** A kept message, as `floatdeck unmatched --json` lists it. */
interface Listed {
  id: string;
  reference: string;
  reason: string;
  card_id: string | null;
}

export const floatdeck = (...args: string[]) =>
  runCommand(args, {
    DATABASE_URL: testDatabase().url,
    FLOATDECK_SECRET: "a secret for nothing but this test run",
  });

/** What is kept under a reference. */
export async function listKept(reference: string): Promise<Listed[]> {
  const { out } = await floatdeck("unmatched", "--json");
  const listed: Listed[] = JSON.parse(out);
  return listed.filter((each) => each.reference === reference);
}

/** The first of it. */
export async function findWaiting(reference: string): Promise<Listed | undefined> {
  const [first] = await listKept(reference);
  return first;
}

/** Matches the first of it to a card. */
export async function matchKept(reference: string, card: string, ...more: string[]) {
  const { id = "" } = (await findWaiting(reference)) ?? {};
  return floatdeck("unmatched", "match", id, "--card", card, ...more);
}

/** The card network's key, and a card of 1,000 whose tests match messages to it. */
export let key: string;
export let integrator: TestIntegrator;
export let cardId: string;

/** Makes them for the tests of this file. */
export function useUnmatchedMessages(): void {
  beforeAll(async () => {
    key = await newProcessorKey();
    integrator = await newIntegrator(10_000);
    cardId = (await newCard(integrator, 1_000)).id;
  });
}

/** Sends a message of the card network. */
export function report(path: string, body: object): Promise<ApiReply> {
  return call(`POST /processor/${path}`, { key, body });
}

/** The card's balance. */
export async function readBalance(): Promise<number> {
  const { json } = await call(`GET /cards/${cardId}`, { key: integrator.apiKey });
  return (json as { balance: number }).balance;
}
