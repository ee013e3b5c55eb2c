import { describe, expect, test } from "vitest";
import { toPlainText } from "#lib/sentences/say.ts";
import { toEventSentence } from "./event-sentence.ts";
import type { SentenceEvent } from "./event-sentence.ts";
import { EVENTS } from "#lib/record/declared-events.ts";

const CARD = "0199b9a4-0000-7000-8000-000000000001";
const context = { currency: "USD", names: new Map([[CARD, "Mei Tanaka •••• 5651"]]) };

function format(
  event: string,
  data: SentenceEvent["data"],
  previous: SentenceEvent["previous"] = null,
) {
  return toPlainText(
    toEventSentence(
      {
        event,
        actor: { type: "api_key", id: null, name: "Billing" },
        subject: { type: "card", id: CARD },
        data,
        previous,
      },
      context,
    ),
  );
}

const purchase = { amount: 1_250, reference: CARD, merchant: { name: "Café Ada" } };

describe("an event reads as a sentence:", () => {
  test.each<[string, SentenceEvent["data"], string]>([
    [
      "card.frozen",
      { given_reason: "stolen", freeze: { reason: "stolen", comment: null } },
      "Billing froze Mei Tanaka •••• 5651: stolen",
    ],
    [
      "card.frozen",
      { amended: true, given_reason: "lost", given_level: "staff", freeze: { reason: "stolen" } },
      "Billing set the staff freeze of Mei Tanaka •••• 5651: lost",
    ],
    [
      "card.transaction",
      { ...purchase, status: "authorized" },
      "$12.50 was authorized on Mei Tanaka •••• 5651 at Café Ada",
    ],
    [
      "card.transaction",
      { ...purchase, status: "settled", authorization_id: null },
      "$12.50 was spent on Mei Tanaka •••• 5651 at Café Ada",
    ],
    [
      "card.transaction",
      { ...purchase, status: "settled", authorization_id: CARD },
      "$12.50 was captured on Mei Tanaka •••• 5651 at Café Ada",
    ],
    [
      "card.transaction-declined",
      { ...purchase, decline_reason: "card_frozen" },
      "$12.50 was declined on Mei Tanaka •••• 5651 at Café Ada: card frozen",
    ],
    [
      "card.reverse-transaction",
      { ...purchase, status: "expired", refund_of: null },
      "A hold of $12.50 on Mei Tanaka •••• 5651 was released when its authorization expired",
    ],
    [
      "card.reverse-transaction",
      { ...purchase, status: "settled", refund_of: CARD },
      "$12.50 was refunded to Mei Tanaka •••• 5651 at Café Ada",
    ],
    [
      "float.low-balance",
      { balance: 4_000, threshold: 10_000 },
      "The float is at $40.00, below the threshold of $100.00",
    ],
  ])("%s", (event, data, sentence) => {
    expect(format(event, data)).toBe(sentence);
  });
});

test("every event has a sentence of its own", () => {
  for (const event of Object.keys(EVENTS)) {
    expect(format(event, {})).toContain(" ");
  }
});
