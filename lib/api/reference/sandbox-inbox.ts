import type { Entries } from "#lib/api/reference/entry.ts";
import { EVENT_EXAMPLES } from "#lib/api/reference/events.ts";
import { IDS } from "#lib/api/reference/samples.ts";

const INBOX_URL = "https://sandbox.example.com/inbox/7uS0pQ0w1nJm2vYkTzXc4aRbEdFgHiLoMqPsUtVwXyZ";

const NOTIFICATION = {
  id: "01a1fd1b-7e9a-7000-9d41-6b0f2c3d4e5f",
  received_at: "2026-11-21T07:56:40.212Z",
  event: "webhook.test",
  delivery_id: IDS.delivery,
  verified: true,
  secret: "current",
  failure: null,
  explanation: null,
  headers: {
    "content-type": "application/json",
    "user-agent": "Floatdeck-Webhooks/1.0",
    "webhook-id": IDS.delivery,
    "webhook-timestamp": "1795247800",
    "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
  body: JSON.stringify(EVENT_EXAMPLES["webhook.test"]),
};

export const SANDBOX_INBOX: Entries = {
  createInbox: {
    description:
      "Set webhook_url to the address, and the inbox receives your webhooks. Anyone who knows the address can send to it.",
    example: { answer: { data: { url: INBOX_URL } } },
  },
  listInbox: {
    description:
      "The last 100 notifications of a day, each with the verdict on its signature at that moment. The body is as it arrived; U+FFFD replaces what is not UTF-8.",
    example: {
      query: { event: "webhook.test", limit: "15" },
      answer: { url: INBOX_URL, data: [NOTIFICATION], next_cursor: null },
    },
  },
};
