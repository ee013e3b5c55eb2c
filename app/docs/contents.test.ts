import { beforeAll, expect, test } from "vitest";
import { findDocs, toDocsIndex } from "../shell/docs-index.ts";
import type { DocsIndex, ListedEntry } from "../shell/docs-index.ts";
import { GET } from "./contents.json/route.tsx";
import { GUIDES, toGuideHref } from "./guides.ts";
import { answerGuide, answerOverview } from "./texts.ts";

const SIZE_MAX = 60_000;

let text: string;
let entries: readonly ListedEntry[];
let index: DocsIndex;

beforeAll(async () => {
  text = await (await GET()).text();
  entries = JSON.parse(text);
  index = toDocsIndex(entries);
});

test(`the index of the documentation has at most ${SIZE_MAX} bytes, and every place once`, () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SIZE_MAX);
  expect(new Set(entries.map(([href]) => href)).size).toBe(entries.length);
  expect(entries.length).toBeGreaterThan(200);
});

test.each([
  ["quick start", "/docs/quick-start"],
  ["first credit", "/docs/quick-start"],
  ["how do I create a card?", "/docs/create-a-card#create-the-card"],
  ["register a cardholder", "/docs/create-a-card#register-the-cardholder"],
  ["authentication", "/docs/requests#authenticate"],
  ["bearer token", "/docs/requests#authenticate"],
  ["roles", "/docs/dashboard#roles"],
  ["pagination", "/docs/requests#lists"],
  ["next_cursor", "/docs/requests#lists"],
  ["rate limits", "/docs/go-live#limits"],
  ["retry safely", "/docs/money#retry-safely"],
  ["minor units", "/docs/money#amounts"],
  ["freeze a card", "/docs/api/freezeCard"],
  ["unfreeze", "/docs/api/unfreezeCard"],
  ["freezes", "/docs/freezes"],
  ["freeze levels", "/docs/freezes#levels"],
  ["close card", "/docs/api/closeCard"],
  ["top up the float", "/docs/api/topUpFloat"],
  ["insufficient_float", "/docs/errors#insufficient_float"],
  ["verify webhook signatures", "/docs/webhooks#verify-the-signature"],
  ["webhook retries", "/docs/webhooks#retries-and-failures"],
  ["rotating the secret", "/docs/api/rotateWebhookSecret"],
  ["card.frozen", "/docs/api/events/card.frozen"],
  ["float.low-balance", "/docs/api/events/float.low-balance"],
  ["export CSV", "/docs/api/exportCards"],
  ["typescript", "/docs/client"],
  ["install the client", "/docs/client"],
  ["simulate a purchase", "/docs/testing#simulate-the-card-network"],
  ["cause a decline", "/docs/testing#cause-every-decline"],
  ["select api version", "/docs/versions#select-a-version"],
  ["erase a cardholder", "/docs/requests#erase-a-cardholder"],
  ["listCards", "/docs/api/listCards"],
  ["PATCH /cards/credit/balance", "/docs/api/creditCard"],
  ["webhok signture", "/docs/webhooks#verify-the-signature"],
])("%j finds %s first", (search, href) => {
  expect(findDocs(index, search)[0]?.href).toBe(href);
});

test("each guide is served as it was written, by the names of its page and of its file", async () => {
  for (const { slug, file } of GUIDES) {
    for (const guide of [slug, file.replace(/\.md$/u, "")]) {
      const reply = await answerGuide(guide);
      expect([guide, reply.status]).toEqual([guide, 200]);
      expect(await reply.text()).toMatch(/^# /u);
    }
  }
  const none = await answerGuide("../README");
  expect(none.status).toBe(404);
});

test("llms.txt names every guide", async () => {
  const overview = await answerOverview().text();
  for (const guide of GUIDES) {
    expect(overview).toContain(`${toGuideHref(guide)}.md): ${guide.summary}`);
  }
});
