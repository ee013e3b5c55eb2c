import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiCall } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { advance, DAY_S, HOUR_S } from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { ROLE_SCOPES } from "#lib/access/roles.ts";
import type { Scope } from "#lib/base/actor.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { FREEZE_LEVELS, FREEZE_REASONS, REASONS_BY_SEVERITY } from "#lib/cards/card-state.ts";
import type { FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";
import type { StoredFreeze, StoredFreezes } from "#db/schema/cards.ts";
import { database } from "#db/client.ts";

const CARDS = 3;

/** Ends in hours of the account's clock. That of a day passes where a case advances the clock by two days. */
const ends = fc.constantFrom(null, 24, 24 * 90);
const reasons = fc.constantFrom(null, ...FREEZE_REASONS);
const comments = fc.constantFrom(null, "Reported by phone", "Case 7");
const levels = fc.constantFrom(...FREEZE_LEVELS);

const terms = fc.record({ reason: reasons, comment: comments, until: ends });
type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never;

/** Which freezes stand on a card at first. */
const standing = fc.record({
  cardholder: fc.option(terms),
  staff: fc.option(terms),
  compliance: fc.option(terms),
});

const freezing = fc.record({ operation: fc.constant("freeze" as const), level: levels, terms });
const lifting = fc.record({
  operation: fc.constant("unfreeze" as const),
  level: fc.option(levels),
});
const change = fc.oneof(freezing, lifting);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const cardAt = fc.nat(CARDS - 1);

/** Who undoes. Each has what `cards:read` allows, too. */
const ACTORS = {
  "freezing key": ["cards:freeze"],
  "writing key": ["cards:freeze", "cards:write"],
  "lifting key": ["cards:freeze", "cards:write", "cards:lift"],
  "freezing and lifting key": ["cards:freeze", "cards:lift"],
  owner: ROLE_SCOPES.owner,
  admin: ROLE_SCOPES.admin,
  operator: ROLE_SCOPES.operator,
} as const satisfies Record<string, readonly Scope[]>;
const actors = fc.constantFrom(...(Object.keys(ACTORS) as (keyof typeof ACTORS)[]));

const story = fc.record({
  cards: fc.array(standing, { minLength: CARDS, maxLength: CARDS }),
  job: change,
  items: fc.array(cardAt, { minLength: 1, maxLength: 5 }),
  since: fc.array(fc.record({ card: cardAt, change }), { maxLength: 3 }),
  isLater: fc.boolean(),
  actor: actors,
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** The freezes of the cards by level; null where none stands. */
type State = Record<FreezeLevel, StoredFreeze | null>[];

class World {
  readonly integrator: TestIntegrator;
  readonly ids: readonly string[];
  private clockAt: number;

  private constructor(integrator: TestIntegrator, ids: readonly string[]) {
    this.integrator = integrator;
    this.ids = ids;
    this.clockAt = Date.now();
  }

  static async open(): Promise<World> {
    const integrator = await newIntegrator();
    const ids: string[] = [];
    for (let at = 0; at < CARDS; at += 1) {
      ids.push((await newCard(integrator)).id);
    }
    return new World(integrator, ids);
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
    const { operation, level } = asked;
    const body =
      asked.operation === "freeze"
        ? this.toBody(asked.terms, asked.level)
        : { ...(level && { level }) };
    await this.send(`PATCH /cards/${this.ids[card]}/${operation}`, body);
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
    return freeze?.until != null && new Date(freeze.until).getTime() <= this.clockAt;
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

interface Result {
  card_id: string;
  level: FreezeLevel | null;
  state: string;
  code: string | null;
}

/** Each level of each card. */
const PLACES = Array.from({ length: CARDS }, (_, card) =>
  FREEZE_LEVELS.map((level) => ({ card, level })),
).flat();

type Place = (typeof PLACES)[number];

const at = (state: State, { card, level }: Place) => state[card]?.[level] ?? null;

/** The levels in which two states differ. */
function differing(one: State, other: State): Place[] {
  return PLACES.filter(
    (place) => JSON.stringify(at(one, place)) !== JSON.stringify(at(other, place)),
  );
}

const includes = (places: readonly Place[], { card, level }: Place) =>
  places.some((place) => place.card === card && place.level === level);

function graveness(reason: FreezeReason | null): number {
  return reason === null ? -1 : REASONS_BY_SEVERITY.indexOf(reason);
}

/** Why somebody may not turn one freeze of a level into another by hand; null if they may. */
function findForbidden(
  level: FreezeLevel,
  { from, to }: { from: StoredFreeze | null; to: StoredFreeze | null },
  scopes: readonly Scope[],
): string | null {
  const lifts = { cardholder: "cards:freeze", staff: "cards:write", compliance: "cards:lift" };
  const endOf = (freeze: StoredFreeze) =>
    freeze.until ? new Date(freeze.until).getTime() : Infinity;
  const isWeaker =
    from && (!to || endOf(to) < endOf(from) || graveness(to.reason) < graveness(from.reason));
  if (isWeaker && !scopes.some((scope) => scope === lifts[level])) {
    return "freeze_not_liftable";
  }
  return to && level !== "cardholder" && !scopes.includes("cards:write") ? "scope_missing" : null;
}

async function credentialOf({ id }: TestIntegrator, actor: Story["actor"]): Promise<ApiCall> {
  if (actor === "owner" || actor === "admin" || actor === "operator") {
    return { headers: (await newStaff(id, actor)).headers };
  }
  return { key: (await newScopedKey(id, ["cards:read", ...ACTORS[actor]])).key };
}

/** What an undo should leave of each level that a job has changed, and say of it. */
function expectUndo(
  world: World,
  {
    before,
    changed,
    touched,
    now,
  }: { before: State; now: State } & Record<"changed" | "touched", Place[]>,
  scopes: readonly Scope[],
) {
  return changed.map((place) => {
    const from = at(now, place);
    if (includes(touched, place)) {
      return { place, left: from, outcome: "card_status_changed" };
    }
    const stood = at(before, place);
    const to = world.hasEnded(stood) ? null : stood;
    if (!from && !to) {
      return { place, left: null, outcome: "unchanged" };
    }
    const forbidden = findForbidden(place.level, { from, to }, scopes);
    return forbidden
      ? { place, left: from, outcome: forbidden }
      : { place, left: to, outcome: "done" };
  });
}

const toOutcomes = (results: readonly Result[]) =>
  results
    .map(({ card_id, level, state, code }) => `${card_id} ${level} ${code ?? state}`)
    .toSorted();

async function live(world: World, told: Story): Promise<void> {
  for (const [card, freezes] of told.cards.entries()) {
    for (const level of FREEZE_LEVELS) {
      const made = freezes[level];
      if (made) {
        await world.change(card, { operation: "freeze", level, terms: made });
      }
    }
  }
  const before = await world.read();
  const { job } = told;
  const job_terms =
    job.operation === "freeze"
      ? world.toBody(job.terms, job.level)
      : { ...(job.level && { level: job.level }) };
  const done = await world.run({
    operation: job.operation,
    ...job_terms,
    items: told.items.map((card) => ({ card_id: world.ids[card] })),
  });
  const after = await world.read();
  const changed = differing(before, after);
  const touched: Place[] = [];
  for (const { card, change: asked } of told.since) {
    const was = await world.read();
    await world.change(card, asked);
    touched.push(...differing(was, await world.read()));
  }
  if (told.isLater) {
    await world.advance(2);
  }
  const now = await world.read();
  const scopes: readonly Scope[] = ACTORS[told.actor];
  const inverse = job.operation === "freeze" ? "unfreeze" : "freeze";
  const as = await credentialOf(world.integrator, told.actor);
  const undone = await world.run({ operation: inverse, changed_by: done.id }, as);
  const expected = expectUndo(world, { before, changed, touched, now }, scopes);
  const left = await world.read();
  expect(left).toEqual(
    now.map((card, index) => ({
      ...card,
      ...Object.fromEntries(
        expected.flatMap(({ place, left: freeze }) =>
          place.card === index ? [[place.level, freeze]] : [],
        ),
      ),
    })),
  );
  expect(toOutcomes(undone.results)).toEqual(
    expected
      .map(({ place, outcome }) => `${world.ids[place.card]} ${place.level} ${outcome}`)
      .toSorted(),
  );
  // The undo is a job itself, so it can be undone.
  const again = await world.run({ operation: job.operation, changed_by: undone.id });
  expect(await world.read()).toEqual(now);
  expect(toOutcomes(again.results)).toEqual(
    expected
      .flatMap(({ place, outcome }) =>
        outcome === "done" ? [`${world.ids[place.card]} ${place.level} done`] : [],
      )
      .toSorted(),
  );
}

test("an undo puts back exactly what a job has changed, but for what changed since, ended, or is not its caller's to change", async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => live(await World.open(), told)),
    { numRuns: 40, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
  );
}, 200_000);
