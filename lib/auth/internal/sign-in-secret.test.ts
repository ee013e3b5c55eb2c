import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";

const OLD = "a secret for nothing but this test run";
const NEW = "another secret for tests that is long enough";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function startedWith(list: string) {
  vi.stubEnv("FLOATDECK_SECRET", list);
  vi.resetModules();
  const { sessionSecrets } = await import("#lib/auth/session.ts");
  const { findSignInSecret } = await import("#lib/auth/internal/sign-in-secret.ts");
  return { secrets: sessionSecrets(), findSignInSecret };
}

/** The request of a browser that began to sign in with this secret, as next-auth binds its form to it. */
function begunWith(secret: string, name = "next-auth.csrf-token"): Request {
  const hash = createHash("sha256").update(`token${secret}`).digest("hex");
  return new Request("http://x", { headers: { cookie: `a=b; ${name}=token%7C${hash}` } });
}

test("a sign-in ends with the secret it began with, also on a server that seals with another one", async () => {
  const opening = await startedWith(`${OLD},${NEW}`);
  const sealing = await startedWith(`${NEW},${OLD}`);
  for (const { secrets, findSignInSecret } of [opening, sealing]) {
    for (const secret of secrets) {
      expect(findSignInSecret(begunWith(secret))).toBe(secret);
      expect(findSignInSecret(begunWith(secret, "__Host-next-auth.csrf-token"))).toBe(secret);
    }
  }
  expect(sealing.secrets).toEqual(opening.secrets.toReversed());
});

test.each([
  ["nothing", new Request("http://x")],
  ["a form of an unknown secret", begunWith("unknown")],
  ["a forged form", new Request("http://x", { headers: { cookie: "next-auth.csrf-token=x" } })],
])("a browser that brings %s begins with the first secret", async (_what, request) => {
  const { secrets, findSignInSecret } = await startedWith(`${NEW},${OLD}`);
  expect(findSignInSecret(request)).toBe(secrets[0]);
});
