import { beforeEach, expect, test } from "vitest";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { newCard } from "#test/scene/fixtures.ts";

beforeEach(() => openCardAccount());

/** A time so many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** The day of a time, in UTC. */
const day = (at: string) => at.slice(0, 10);

/** The ids of the cards that the query finds. */
const found = async (query: string) => (await list(query)).ids;

async function list(query: string) {
  const { status, json, headers } = await ask(`GET /cards?${query}`);
  const ids = Array.isArray(json) ? json.map(({ id }: { id: string }) => id) : json;
  return { status, ids, link: headers.get("link") };
}

test("excludes a time and includes a day, counts any level, and leaves out what has no end", async () => {
  const end = inDays(3);
  const endless = (await newCard(integrator)).id;
  for (const body of [{ level: "compliance" }, { until: end }]) {
    await ask(`PATCH /cards/${cardId}/freeze`, body);
  }
  await ask(`PATCH /cards/${endless}/freeze`, {});
  expect(await found(`freeze_ends_before=${end}`)).toEqual([]);
  expect(await found(`freeze_ends_before=${day(end)}`)).toEqual([cardId]);
  expect(await found(`freeze_ends_before=${inDays(4)}&status=frozen`)).toEqual([cardId]);
  expect(await found(`freeze_ends_before=${inDays(4)}&status=active,closed`)).toEqual([]);
  expect(await found(`freeze_ends_before=${inDays(4)}&search=zzz`)).toEqual([]);
  const { text } = await ask(`GET /exports/cards?freeze_ends_before=${day(end)}`);
  expect(text.trim().split("\n").slice(1)).toEqual([expect.stringContaining(cardId)]);
});

test("goes on with the next page", async () => {
  const other = (await newCard(integrator)).id;
  for (const id of [cardId, other]) {
    await ask(`PATCH /cards/${id}/freeze`, { until: inDays(1) });
  }
  const first = await list(`freeze_ends_before=${day(inDays(2))}&limit=1`);
  expect(first.ids).toEqual([other]);
  const [, next = ""] = /<\/api\/cards\?([^>]*)>/u.exec(first.link ?? "") ?? [];
  expect(await list(next)).toMatchObject({ ids: [cardId], link: null });
});

test("refuses what is neither", async () => {
  expect(await list("freeze_ends_before=soon")).toMatchObject({
    status: 422,
    ids: {
      errors: { freeze_ends_before: [expect.stringContaining("a day or an RFC 3339 time")] },
    },
  });
});
