import { expect } from "vitest";
import { ask, integrator } from "#test/scene/card-account.ts";
import { newCard } from "#test/scene/fixtures.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { database } from "#db/client.ts";

/** A bulk job as the API answers it. */
export interface Job {
  id: string;
  state: string;
  total: number;
  done: number;
  unchanged: number;
  refused: number;
  canceled: number;
  amount: number;
}

/** Makes a job, and does it. */
export async function run(body: object): Promise<Job> {
  const { status, json } = await ask("POST /bulk", body);
  expect([status, json]).toEqual([202, expect.anything()]);
  const { id } = (json as { data: Job }).data;
  await runBulkJobs(database());
  return read(id);
}

export async function read(id: string): Promise<Job> {
  return ((await ask(`GET /bulk/${id}`)).json as { data: Job }).data;
}

/** Each card of a job with its state and the code of a refusal, in order. */
export async function resultsOf({ id }: Job, query = ""): Promise<unknown[]> {
  const { json } = await ask(`GET /bulk/${id}/results?limit=100${query}`);
  return (json as { data: { card_id: string; state: string; code: string | null }[] }).data.map(
    ({ card_id, state, code }) => [card_id, state, code],
  );
}

export async function cardOf(id: string) {
  return (await ask(`GET /cards/${id}`)).json as {
    status: string;
    status_version: number;
    balance: number;
    card_name: string;
    last4: string;
  };
}

/** The ids of new cards of the account. */
export async function newCards(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    ids.push((await newCard(integrator)).id);
  }
  return ids;
}

/** The id of no card. */
export const UNKNOWN = "01a1fd1b-0000-7000-8000-000000000000";
