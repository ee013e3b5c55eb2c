import * as fc from "fast-check";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { UNKNOWN } from "#test/scene/bulk-account.ts";
import { newCard, newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import { anyControls } from "#test/limits/limits-steps.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { FREEZE_LEVELS, FREEZE_REASONS } from "#lib/cards/card-state.ts";
import { database } from "#db/client.ts";

/** More items than a batch of a job has, and so few cards that each repeats in several batches. */
const ITEMS_MIN = 65;
const ITEMS_MAX = 140;
const CARDS = 4;
/** Of each operation. */
const RUNS = 5;
const FLOAT = 2_000;
const BALANCE = 1_000;

/** The last is no card of the account. */
const cardAt = fc.nat(CARDS);
const amounts = fc.integer({ min: 1, max: 150 });
const versions = fc.option(fc.integer({ min: 1, max: 6 }), { freq: 6 });
const levels = fc.constantFrom(...FREEZE_LEVELS);

function toItems<T extends object>(item: fc.Arbitrary<T>) {
  const items = fc.tuple(cardAt, item).map(([card, rest]) => ({ card, ...rest }));
  return fc.array(items, { minLength: ITEMS_MIN, maxLength: ITEMS_MAX, size: "max" });
}

const FREEZE_REASONS_ALONE = FREEZE_REASONS.filter((reason) => reason !== "other");

const JOBS = {
  freeze: fc.record({
    level: levels,
    reason: fc.constantFrom(null, ...FREEZE_REASONS_ALONE),
    until: fc.constantFrom(null, new Date(Date.now() + 86_400_000).toISOString()),
    items: toItems(fc.record({ status_version: versions })),
  }),
  unfreeze: fc.record(
    { level: levels, items: toItems(fc.record({ status_version: versions })) },
    { requiredKeys: ["items"] },
  ),
  set_spending_controls: fc.record({
    spending_controls: fc.option(anyControls),
    items: toItems(fc.constant({})),
  }),
  close: fc.record({ items: toItems(fc.constant({})) }),
  credit: fc.record({ items: toItems(fc.record({ amount: amounts })) }),
  debit: fc.record({
    items: toItems(
      fc.record({ amount: fc.oneof({ weight: 40, arbitrary: amounts }, fc.constant("all")) }),
    ),
  }),
};
type Operation = keyof typeof JOBS;

const scene = fc.record({
  frozen: fc.array(fc.tuple(fc.nat(CARDS - 1), levels), { maxLength: 4 }),
  closed: fc.option(fc.nat(CARDS - 1)),
  limited: fc.array(fc.tuple(fc.nat(CARDS - 1), anyControls), { maxLength: 2 }),
});

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Story = Of<typeof scene> & { operation: Operation; job: Of<(typeof JOBS)[Operation]> };

interface Answer {
  data: Record<string, unknown> & { id: string; [Symbol.iterator](): Iterator<unknown> };
  next_cursor?: string | null;
}

async function live({ operation, job, frozen, closed, limited }: Story): Promise<void> {
  const integrator = await newIntegrator(FLOAT + CARDS * BALANCE);
  const ids: string[] = [];
  for (let at = 0; at < CARDS; at += 1) {
    ids.push((await newCard(integrator, BALANCE)).id);
  }
  const send = async (line: string, body?: object, key = integrator.apiKey) => {
    const { json } = await call(line, { key, body });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each request is one that is answered so.
    return json as Answer;
  };
  for (const [card, level] of frozen) {
    await send(`PATCH /cards/${ids[card]}/freeze`, { level });
  }
  for (const [card, controls] of limited) {
    await send(`PATCH /cards/${ids[card]}/spending-controls`, { spending_controls: controls });
  }
  if (closed !== null) {
    await send(`POST /cards/${ids[closed]}/close`, {});
  }
  // Lifts no compliance freeze.
  const scopes = [
    "cards:read",
    "cards:write",
    "cards:freeze",
    "cards:limits",
    "funds:write",
  ] as const;
  const { key } = await newScopedKey(integrator.id, scopes);
  const items = job.items.map(({ card, ...item }) => ({ card_id: ids[card] ?? UNKNOWN, ...item }));
  const told = async (check: boolean) => {
    const { data } = await send("POST /bulk", { operation, ...job, items, check }, key);
    await runBulkJobs(database());
    const { state, total, done, unchanged, refused, canceled, amount } = (
      await send(`GET /bulk/${data.id}`)
    ).data;
    const ended = { state, total, done, unchanged, refused, canceled, amount };
    const results: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query: string = cursor && `&cursor=${cursor}`;
      const page = await send(`GET /bulk/${data.id}/results?limit=100${query}`);
      results.push(...page.data);
      cursor = page.next_cursor ?? null;
    }
    // When a freeze was made is the only thing that differs between one that is decided and one that is made.
    return JSON.parse(JSON.stringify({ ended, results }).replaceAll(/since \S+Z/gu, "since then"));
  };
  const checked = await told(true);
  expect(checked).toEqual(await told(false));
  expect(checked.ended).toMatchObject({ state: "completed", total: items.length });
}

test.each(Object.keys(JOBS) as Operation[])(
  "a check of a %s says of each card what the job does, however often a card repeats",
  async (operation) => {
    let lives = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(JOBS[operation], scene), async ([job, rest]) => {
        await live({ operation, job, ...rest });
        lives += 1;
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(lives).toBe(RUNS);
  },
  60_000,
);
