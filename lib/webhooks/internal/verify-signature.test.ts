import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { toSignatureHeaders } from "#lib/webhooks/internal/signature.ts";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import { verifySignature } from "#lib/webhooks/internal/verify-signature.ts";

const AT = new Date("2026-11-21T07:56:40.500Z");
const BODY = '{"event":"webhook.test","data":{"text":"Café"}}';
const [LATEST, EARLIER] = [newSigningSecret(), newSigningSecret()] as const;
const SECRETS = { current: newSigningSecret(), previous: [LATEST, EARLIER] };
const VERIFIED = { fault: null };

function judge(
  { secrets = [SECRETS.current], at = AT, body = BODY, headers = {} } = {},
  known: Parameters<typeof verifySignature>[1] = SECRETS,
) {
  const signed = toSignatureHeaders({ id: "1", at, body: BODY, secrets });
  return verifySignature(
    { headers: { ...signed, ...headers }, body: Buffer.from(body), at: AT },
    known,
  );
}

function later(seconds: number): Date {
  return new Date(AT.getTime() + seconds * 1_000);
}

test("a notification signed with the current secret is verified, alone or beside the previous one", () => {
  expect(judge()).toEqual({ ...VERIFIED, secret: "current" });
  const both = [SECRETS.current, LATEST];
  expect(judge({ secrets: both })).toEqual({ ...VERIFIED, secret: "current" });
});

test("each previous secret counts while it is valid, and is named", () => {
  for (const secret of SECRETS.previous) {
    expect(judge({ secrets: [secret] })).toEqual({ ...VERIFIED, secret: "previous" });
  }
  const rotatedOut = { current: SECRETS.current, previous: [LATEST] };
  expect(judge({ secrets: [EARLIER] }, rotatedOut)).toEqual({
    secret: null,
    fault: "signature_mismatch",
  });
});

test("what the reference library signs is verified", () => {
  const at = new Date(Math.floor(AT.getTime() / 1_000) * 1_000);
  const signature = new Webhook(SECRETS.current).sign("msg_1", at, BODY);
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(at.getTime() / 1_000),
    "webhook-signature": `v1a,unknown ${signature}`,
  };
  expect(judge({ headers })).toEqual({ ...VERIFIED, secret: "current" });
});

test.each([
  ["another secret", { secrets: [newSigningSecret()] }],
  ["another body", { body: `${BODY} ` }],
  ["another id", { headers: { "webhook-id": "2" } }],
  ["another time", { headers: { "webhook-timestamp": "1795247801" } }],
  ["no signature of version 1", { headers: { "webhook-signature": "v2,AAAA" } }],
  ["a signature that is not base64", { headers: { "webhook-signature": "v1,\u{fffd}" } }],
  ["an empty signature", { headers: { "webhook-signature": "" } }],
])("%s is a mismatch", (_name, given) => {
  expect(judge(given)).toEqual({ secret: null, fault: "signature_mismatch" });
});

test.each([
  [-299, null],
  [-302, "timestamp_too_old"],
  [300, null],
  [302, "timestamp_too_new"],
])("signed %i seconds from its arrival: %s", (seconds, fault) => {
  expect(judge({ at: later(seconds) })).toMatchObject({ fault });
});

test.each(["", "now", "1e9", "-1", "1795247800.5", "9".repeat(13)])(
  "%j is not a timestamp",
  (timestamp) => {
    expect(judge({ headers: { "webhook-timestamp": timestamp } })).toEqual({
      secret: null,
      fault: "timestamp_malformed",
    });
  },
);

test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
  "without %s nothing is verified",
  (name) => {
    const signed = toSignatureHeaders({
      id: "1",
      at: AT,
      body: BODY,
      secrets: [SECRETS.current],
    });
    const headers = Object.fromEntries(Object.entries(signed).filter(([each]) => each !== name));
    const arrived = { headers, body: Buffer.from(BODY), at: AT };
    expect(verifySignature(arrived, SECRETS)).toEqual({ secret: null, fault: "header_missing" });
  },
);
