import { expect } from "vitest";
import { clockOf } from "#test/database/clock.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { controlAccount, controlCard } from "#test/scene/spending-controls.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { toCardResource } from "#lib/cards/card-resource.ts";
import type { LimitInterval, SpendingControls } from "#lib/cards/spending-controls.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { toAnswer, toEffective, toPeriodKey, toUsed } from "./limits-model.ts";
import type { Model, Question, Row } from "./limits-model.ts";

/** A card of the product, and what the model knows of it. */
export interface World extends Model {
  integrator: TestIntegrator;
  cardId: string;
}

export async function openWorld(own: SpendingControls, zone: string): Promise<World> {
  const integrator = await newIntegrator(100_000);
  const { id: cardId } = await newCard(integrator, 600);
  await controlAccount(integrator, { timeZone: zone });
  await controlCard(integrator, cardId, own);
  return { integrator, cardId, zone, own, ofAccount: null, rows: [] };
}

export async function nowOf({ integrator }: World): Promise<number> {
  return (await clockOf(integrator)).now.getTime();
}

/** A question as it is asked now. */
export async function ask(
  world: World,
  asked: Omit<Question, "available" | "now">,
): Promise<Question> {
  const { available } = await getCard(reading(world.integrator), world.cardId);
  return { ...asked, available, now: await nowOf(world) };
}

/** Compares a decision with the model's. @returns what is approved; null for a decline. */
export function compare(
  world: World,
  question: Question,
  { declineReason }: Transaction,
): number | null {
  const expected = toAnswer(world, question);
  const isDeclined = typeof expected === "string";
  expect(declineReason ?? "approved").toBe(isDeclined ? expected : "approved");
  return isDeclined ? null : expected;
}

/** A row that counts from the moment of a question. */
export function addRow(
  { rows }: World,
  { now, mcc }: Pick<Question, "now" | "mcc">,
  row: Pick<Row, "id" | "counted"> & Partial<Row>,
): void {
  rows.push({ open: 0, dueAt: 0, settled: 0, at: now, mcc, ...row });
}

/** The card shows what the model knows: the controls, what is used of each limit, and when it starts anew. */
export async function expectAgreement(world: World): Promise<void> {
  const card = toCardResource(await getCard(reading(world.integrator), world.cardId));
  const now = await nowOf(world);
  const controls = toEffective(world);
  const limits = controls?.spending_limits ?? [];
  const shown = card.spending_controls?.spending_limits ?? [];
  expect(card.spending_controls_source).toBe(toSource(world));
  expect(shown.map(({ used }) => used)).toEqual(limits.map((limit) => toUsed(world, limit, now)));
  for (const { interval, resets_at: resetsAt } of shown) {
    expect(isReset(interval, resetsAt, { now, zone: world.zone })).toBe(true);
  }
}

function toSource({ own, ofAccount }: World): string {
  if (own) {
    return "card";
  }
  return ofAccount ? "account" : "none";
}

/** Whether this is the first moment of the next period. */
function isReset(
  interval: LimitInterval,
  resetsAt: string | null,
  { now, zone }: { now: number; zone: string },
): boolean {
  if (resetsAt === null) {
    return interval === "per_authorization" || interval === "all_time";
  }
  const key = (at: number) => toPeriodKey(interval, at, zone);
  return key(Date.parse(resetsAt) - 1) === key(now) && key(Date.parse(resetsAt)) !== key(now);
}
