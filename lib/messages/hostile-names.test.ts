import { array, assert, asyncProperty, constantFrom, oneof, string, tuple } from "fast-check";
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

/** What the program of the only recipient reads. */
async function deliver(to: string, businessName: string, invitedBy: string) {
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
  const message = { ...framed, id: "1", to, aboutId: null };
  const sent = await sendMail(mail, message, new AbortController().signal);
  expect(sent).toEqual({ failure: null });
  const received = server.received.filter((each) => each.to.length === 1 && each.to[0] === to);
  expect(received).toHaveLength(1);
  return PostalMime.parse(received[0]?.raw ?? "");
}

/** At once, because the mail server waits a tenth of a second before it greets. */
const AT_ONCE = 10;
const names = array(tuple(hostile, hostile), { minLength: AT_ONCE, maxLength: AT_ONCE });

test("no name adds a header or a recipient, a link, or an element, turns the text, or exceeds its length", async () => {
  const plain = await deliver("plain@example.com", "Northwind", "Ada Winter");
  const toNames = (mail: typeof plain) => mail.headers.map(({ key }) => key);
  const check = async (to: string, businessName: string, invitedBy: string) => {
    const mail = await deliver(to, businessName, invitedBy);
    expect(toNames(mail)).toEqual(toNames(plain));
    expect(mail.to).toEqual([{ name: "", address: to }]);
    expect(toTags(mail.html)).toEqual(toTags(plain.html));
    for (const text of [mail.subject, mail.text, mail.html]) {
      expect(text).not.toMatch(HARMFUL);
      const links = text?.match(/\w+:\/\/[^/\s]+/gu) ?? [];
      expect(new Set(links)).toEqual(
        new Set(text === mail.subject ? [] : ["https://cards.example.com"]),
      );
    }
    expect(mail.subject?.length).toBeLessThan(5 * NAME_MAX);
  };
  await assert(
    asyncProperty(names, async (pairs) => {
      server.received.length = 0;
      await Promise.all(
        pairs.map(([businessName, invitedBy], index) =>
          check(`guest${index}@example.com`, businessName, invitedBy),
        ),
      );
    }),
    { numRuns: 20 },
  );
}, 60_000);
