import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { expect } from "vitest";
import { advance, DAY_S, HOUR_S } from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { FREEZE_LEVELS, FREEZE_REASONS } from "#lib/cards/card-state.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";
import type { StoredFreeze, StoredFreezes } from "#db/schema/cards.ts";
import { database } from "#db/client.ts";
import { call } from "./api-client.ts";
import type { ApiCall } from "./api-client.ts";
import { newCard, newIntegrator } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";

/** Cards with freezes of every kind, and what changes them. */

/** How many cards an account has. */
export const CARDS = 3;

/** Ends in hours of the account's clock. That of a day passes where a case advances the clock by two days. */
const ends = fc.constantFrom(null, 24, 24 * 90);
const reasons = fc.constantFrom(null, ...FREEZE_REASONS);
const comments = fc.constantFrom(null, "Reported by phone", "Case 7");
const levels = fc.constantFrom(...FREEZE_LEVELS);

export const terms = fc.record({ reason: reasons, comment: comments, until: ends });
type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never;

const freezing = fc.record({ operation: fc.constant("freeze" as const), level: levels, terms });
const lifting = fc.record({
  operation: fc.constant("unfreeze" as const),
  level: fc.option(levels),
});
/** A change of one card, or of many. */
export const change = fc.oneof(freezing, lifting);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** The freezes of the cards by level; null where none stands. */
export type State = Record<FreezeLevel, StoredFreeze | null>[];

/** An account of its own, and what its clock shows. */
export class FreezeWorld {
  readonly integrator: TestIntegrator;
  readonly ids: readonly string[];
  private clockAt: number;

  private constructor(integrator: TestIntegrator, ids: readonly string[]) {
    this.integrator = integrator;
    this.ids = ids;
    this.clockAt = Date.now();
  }

  static async open(): Promise<FreezeWorld> {
    const integrator = await newIntegrator();
    const ids: string[] = [];
    for (let at = 0; at < CARDS; at += 1) {
      ids.push((await newCard(integrator)).id);
    }
    return new FreezeWorld(integrator, ids);
  }

  /** What the caller may do goes unless another one is named. */
  async send(line: string, body?: object, as: ApiCall = { key: this.integrator.apiKey }) {
    const { status, json } = await call(line, { ...as, body });
    expect([status, json]).toEqual([expect.toSatisfy((each) => each < 300), expect.anything()]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each caller knows what it has asked for.
    return json as { data: { id: string; state: string; done: number } & Result[] };
  }

  toBody({ reason, comment, until }: Terms, level: FreezeLevel) {
    const end = until === null ? null : new Date(this.clockAt + until * HOUR_S * 1_000);
    return {
      level,
      reason,
      // "other" needs one.
      comment: comment ?? (reason === "other" ? "Other" : null),
      ...(end && { until: end.toISOString() }),
    };
  }

  async change(card: number, asked: Change): Promise<void> {
    const path = `PATCH /cards/${this.ids[card]}/${asked.operation}`;
    const { level } = asked;
    if (asked.operation === "unfreeze") {
      await this.send(path, { ...(level && { level }) });
      return;
    }
    const body = this.toBody(asked.terms, asked.level);
    const standing = (await this.read())[card]?.[asked.level];
    // A freeze that stays one of "other" needs its comment with a new end, too.
    const comment = body.comment ?? (standing?.reason === "other" ? "Other" : null);
    await this.send(path, { ...body, comment });
  }

  async run(body: object, as?: ApiCall) {
    const { data } = await this.send("POST /bulk", body, as);
    await runBulkJobs(database());
    const { data: results } = await this.send(`GET /bulk/${data.id}/results?limit=100`);
    return { id: data.id, results };
  }

  async advance(days: number): Promise<void> {
    await advance(this.integrator, days * DAY_S);
    this.clockAt += days * DAY_S * 1_000;
  }

  hasEnded(freeze: StoredFreeze | null): boolean {
    return Boolean(freeze?.until && new Date(freeze.until).getTime() <= this.clockAt);
  }

  async read(): Promise<State> {
    const rows = await testDatabase().db.execute<{ id: string; freezes: StoredFreezes | null }>(
      sql`select id, freezes from cards where integrator_id = ${this.integrator.id}`,
    );
    return this.ids.map((id) => {
      const { freezes } = rows.find((row) => row.id === id) ?? {};
      const { cardholder = null, staff = null, compliance = null } = freezes ?? {};
      return { cardholder, staff, compliance };
    });
  }
}

/** What became of a level. */
export interface Result {
  card_id: string;
  level: FreezeLevel | null;
  state: string;
  code: string | null;
}
