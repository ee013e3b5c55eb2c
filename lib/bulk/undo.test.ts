import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiCall } from "#test/scene/api-client.ts";
import { newScopedKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { CARDS, change, FreezeWorld, terms } from "#test/scene/freeze-world.ts";
import type { Result, State } from "#test/scene/freeze-world.ts";
import { newStaff } from "#test/scene/staff.ts";
import { ROLE_SCOPES } from "#lib/access/roles.ts";
import type { Scope } from "#lib/base/actor.ts";
import { FREEZE_LEVELS, REASONS_BY_SEVERITY } from "#lib/cards/card-state.ts";
import type { FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";
import type { StoredFreeze } from "#db/schema/cards.ts";

/** Which freezes stand on a card at first. */
const standing = fc.record({
  cardholder: fc.option(terms),
  staff: fc.option(terms),
  compliance: fc.option(terms),
});

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

function endOf({ until }: StoredFreeze): number {
  return until === null ? Infinity : new Date(until).getTime();
}

/** Why somebody may not turn one freeze of a level into another by hand; null if they may. */
function findForbidden(
  level: FreezeLevel,
  { from, to }: { from: StoredFreeze | null; to: StoredFreeze | null },
  scopes: readonly Scope[],
): string | null {
  const lifts = { cardholder: "cards:freeze", staff: "cards:write", compliance: "cards:lift" };
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
  world: FreezeWorld,
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

async function live(world: FreezeWorld, told: Story): Promise<void> {
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
  const jobTerms =
    job.operation === "freeze"
      ? world.toBody(job.terms, job.level)
      : { ...(job.level && { level: job.level }) };
  const done = await world.run({
    operation: job.operation,
    ...jobTerms,
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

const RUNS = 40;

test("an undo puts back exactly what a job has changed, but for what changed since, ended, or is not its caller's to change", async () => {
  let lives = 0;
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      await live(await FreezeWorld.open(), told);
      lives += 1;
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
  );
  expect(lives).toBe(RUNS);
}, 200_000);
