import { array, assert, asyncProperty, constantFrom, oneof, string } from "fast-check";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toFramed } from "#lib/messages/internal/frame.ts";
import { NAME_MAX, toHarmlessText } from "#lib/messages/internal/harmless-text.ts";
import { sendMail } from "#lib/messages/internal/send.ts";
import { staffInvited } from "#lib/messages/kinds/staff-invited.ts";
import { startMailServer } from "#test/outside/mail-server.ts";
import type { MailServer } from "#test/outside/mail-server.ts";

let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
});

afterAll(() => server.stop());

const PARTS = [
  "\r\nBcc: thief@evil.example\r\n",
  "\n\n.\r\nMAIL FROM:<a@b.c>",
  "\u202e",
  "\u2066",
  "\u0000",
  "\u2028",
  "https://evil.example/login",
  "<img src=x onerror=alert(1)>",
  '"><a href=https://evil.example>',
  "x".repeat(500),
  "e\u0301\u0302\u0303".repeat(200),
  "👨‍👩‍👧‍👦",
  "=?utf-8?q?x?=",
  "\ud800",
];

const hostile = array(oneof(constantFrom(...PARTS), string({ unit: "binary", maxLength: 20 })), {
  maxLength: 6,
}).map((parts) => parts.join(""));

const toTags = (html = "") => html.match(/<\/?[a-z!][^>\s]*/giu);

/** Characters that turn the text around them, or end a line. */
// oxlint-disable-next-line no-control-regex
const HARMFUL = /[\p{Bidi_Control}\u0000\u0085\u2028]/u;

/** What the recipient's program reads. */
async function deliver(businessName: string, invitedBy: string) {
  const written = staffInvited.write({
    businessName: toHarmlessText(businessName),
    invitedBy: toHarmlessText(invitedBy),
    currency: "USD",
    role: "viewer",
    days: 7,
    path: "/invitation#token",
  });
  const framed = toFramed(written, "https://cards.example.com");
  const mail = { smtpUrl: server.url, from: "cards@example.com" };
  const message = { ...framed, id: "1", to: "guest@example.com", aboutId: null };
  const sent = await sendMail(mail, message, new AbortController().signal);
  expect(sent).toEqual({ failure: null });
  return PostalMime.parse(server.received.pop()?.raw ?? "");
}

test("no name adds a header or a recipient, a link, or an element, turns the text, or exceeds its length", async () => {
  const plain = await deliver("Northwind", "Ada Winter");
  const toNames = (mail: typeof plain) => mail.headers.map(({ key }) => key);
  await assert(
    asyncProperty(hostile, hostile, async (businessName, invitedBy) => {
      const mail = await deliver(businessName, invitedBy);
      expect(toNames(mail)).toEqual(toNames(plain));
      expect(mail.to).toEqual(plain.to);
      expect(toTags(mail.html)).toEqual(toTags(plain.html));
      for (const text of [mail.subject, mail.text, mail.html]) {
        expect(text).not.toMatch(HARMFUL);
        const links = text?.match(/\w+:\/\/[^/\s]+/gu) ?? [];
        expect(new Set(links)).toEqual(
          new Set(text === mail.subject ? [] : ["https://cards.example.com"]),
        );
      }
      expect(mail.subject?.length).toBeLessThan(5 * NAME_MAX);
    }),
    { numRuns: 200 },
  );
}, 60_000);
