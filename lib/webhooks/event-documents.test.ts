import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { createChecker, readDocument } from "#test/scene/document.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { EVENTS } from "#lib/record/event-catalog.ts";

const DOCUMENT = readFileSync(path.join(import.meta.dirname, "../../docs/webhooks.md"), "utf8");

/** The rows of the event table in the document: name, when, and the contents of `data`. */
const rows = [
  ...DOCUMENT.matchAll(/^\| `(?<event>[a-z]+\.[a-z-]+)` +\| (?<when>.+?) +\| (?<data>.+?) +\|$/gmu),
].map(({ groups }) => ({ event: "", when: "", data: "", ...groups }));

test("the document lists exactly the existing events, and describes when each is recorded as the catalog does", () => {
  expect(Object.fromEntries(rows.map(({ event, when }) => [event, when]))).toEqual(EVENTS);
});

/** The members that the document lists, in the table or in the paragraph that the table refers to. */
function documentedMembers(event: string): string[] {
  const { data = "" } = rows.find((row) => row.event === event) ?? {};
  return data.startsWith("`") ? membersIn(data) : paragraphMembers(data);
}

function paragraphMembers(name: string): string[] {
  const start = DOCUMENT.indexOf(`- **${name}**`);
  const paragraph = DOCUMENT.slice(start).split(/\n(?=- |\n)/u)[0] ?? "";
  // Text in parentheses explains a member.
  const members = membersIn(paragraph.replaceAll(/\([^()]*\)|with the `status` `declined`/gu, ""));
  return paragraph.includes(": the same")
    ? [...paragraphMembers("a card transaction"), ...members]
    : members;
}

function membersIn(text: string): string[] {
  return [...text.matchAll(/`(?<name>[a-z_]+)`/gu)].map(({ groups }) => groups?.["name"] ?? "");
}

let recorded: Map<string, { data: Record<string, unknown> }>;

beforeAll(async () => {
  const integrator = await newIntegrator(1_000);
  const { apiKey: key } = integrator;
  const card = await newCard(integrator, 300);
  const send = async (line: string, body?: unknown) => {
    const reply = await call(line, { key, body });
    expect(reply.status, `${line} ${reply.text}`).toBeLessThan(300);
  };
  const play = (body: object) => send(`POST /cards/${card.id}/mock-transaction`, body);
  await play({ type: "deduct", amount: 50 });
  await play({ type: "deduct-reversal", amount: 20 });
  await play({ type: "deduct", amount: 1_000_000 });
  await send("PATCH /cards/debit/balance", { card_id: card.id, amount: "all" });
  await send(`PATCH /cards/${card.id}/freeze`);
  await send("PATCH /card-integrators/settings", { low_balance_threshold: 950 });
  await send("PATCH /cards/credit/balance", { card_id: card.id, amount: 100 });
  await send("PATCH /card-integrators/top-up-float", { amount: 500 });
  await send(`PATCH /cards/${card.id}/unfreeze`);
  await send(`PATCH /cards/${card.id}`, { metadata: { order: "4711" } });
  await send(`POST /cards/${card.id}/close`);
  const holder = `/card-integrators/card-users/${card.cardholderId}`;
  await send(`PATCH ${holder}`, { first_name: "Grace" });
  await send(`POST ${holder}/archive`);
  await send(`POST ${holder}/unarchive`);
  await send("PATCH /card-integrators/update", { webhook_url: "https://hooks.example.com/" });
  await send("POST /webhooks/test");
  const list = async () => {
    const { json } = await call("GET /events?limit=100", { key });
    const { data } = json as { data: { event: string; data: Record<string, unknown> }[] };
    return new Map(data.map((each) => [each.event, each]));
  };
  // An event is listed once no older transaction of the cluster can precede it, which other tests may hold open.
  await vi.waitUntil(async () => (recorded = await list()).has("webhook.test"), {
    timeout: 20_000,
  });
});

function toMembers(event: string): string[] {
  return Object.keys(recorded.get(event)?.data ?? {}).toSorted();
}

test("the OpenAPI document describes exactly the existing events", async () => {
  const { webhooks } = await readDocument();
  const summaries = Object.entries(webhooks).map(([event, { post }]) => [event, post.summary]);
  expect(Object.fromEntries(summaries)).toEqual(EVENTS);
});

test.each(Object.keys(EVENTS))(
  "%s, as recorded and as shown in the OpenAPI document, is what that document says of it",
  async (event) => {
    const document = await readDocument();
    const check = createChecker(document);
    const content = document.webhooks[event]?.post.requestBody?.content["application/json"];
    const { schema = {}, example } = content ?? {};
    expect(check(schema, recorded.get(event))).toBeNull();
    expect(check(schema, example)).toBeNull();
    // Other events are not.
    const others = [...recorded].filter(([name]) => name !== event).map(([, other]) => other);
    expect(others.every((other) => check(schema, other) !== null)).toBe(true);
    const shown = Object.keys(Object(example).data).toSorted();
    expect(event === "integrator.updated" ? toMembers(event) : shown).toEqual(toMembers(event));
  },
);

test.each(Object.keys(EVENTS))("%s carries the documented members", (event) => {
  const members = toMembers(event);
  expect(members).not.toEqual([]);
  expect(members).toEqual(expectedMembers(event, members).toSorted());
});

/** Some events carry a whole card or any changed members. */
function expectedMembers(event: string, recordedMembers: readonly string[]): readonly string[] {
  const { data } = rows.find((row) => row.event === event) ?? {};
  if (data?.startsWith("the card")) {
    return [...toMembers("card.created"), ...membersIn(data)];
  }
  return data === "what changed" ? recordedMembers : documentedMembers(event);
}
