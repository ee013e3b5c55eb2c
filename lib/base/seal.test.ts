import { afterEach, describe, expect, test, vi } from "vitest";
import { seal, sealAgain, toSecretChecks, unseal } from "#lib/base/seal.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test("sealed text opens again, differs on each call, and does not contain the plaintext", () => {
  const sealed = seal("JBSWY3DPEHPK3PXP", "second factor", "owner");
  expect(unseal(sealed, "second factor", "owner")).toBe("JBSWY3DPEHPK3PXP");
  expect(seal("JBSWY3DPEHPK3PXP", "second factor", "owner")).not.toBe(sealed);
  expect(Buffer.from(sealed, "base64").toString("latin1")).not.toContain("JBSWY3DP");
});

test("a change to any byte is detected", () => {
  const bytes = Buffer.from(seal("JBSWY3DPEHPK3PXP", "second factor", "owner"), "base64");
  for (const place of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(() => unseal(changed.toString("base64"), "second factor", "owner")).toThrow();
  }
});

test("truncated text is detected, down to a 4-byte tag", () => {
  const bytes = Buffer.from(seal("", "second factor", "owner"), "base64");
  for (let length = 0; length < bytes.length; length += 1) {
    const shortened = bytes.subarray(0, length).toString("base64");
    expect(() => unseal(shortened, "second factor", "owner")).toThrow();
  }
});

test("text sealed for one purpose does not open for another", () => {
  expect(() => unseal(seal("x", "second factor", "owner"), "session cookie", "owner")).toThrow();
});

test("another secret cannot open sealed text, and produces a different check", async () => {
  const sealed = seal("x", "second factor", "owner");
  vi.stubEnv("FLOATDECK_SECRET", "another secret for tests that is long enough");
  vi.resetModules();
  const other = await import("#lib/base/seal.ts");
  expect(() => other.unseal(sealed, "second factor", "owner")).toThrow();
  expect(other.toSecretChecks()).not.toEqual(toSecretChecks());
});

const OLD = "a secret for nothing but this test run";
const NEW = "another secret for tests that is long enough";

async function withSecrets(list: string) {
  vi.stubEnv("FLOATDECK_SECRET", list);
  vi.resetModules();
  const started = await import("#lib/base/seal.ts");
  // A process reads its environment once, on first use.
  started.toSecretChecks();
  return started;
}

describe("several secrets", () => {
  test("all open, and the first one seals", async () => {
    const sealed = seal("x", "second factor", "owner");
    const opening = await withSecrets(`${OLD},${NEW}`);
    const sealing = await withSecrets(`${NEW},${OLD}`);
    expect(sealing.unseal(sealed, "second factor", "owner")).toBe("x");
    const fresh = sealing.seal("y", "second factor", "owner");
    expect(opening.unseal(fresh, "second factor", "owner")).toBe("y");
    expect(() => unseal(fresh, "second factor", "owner")).toThrow();
    expect(sealing.toSecretChecks()).toEqual(opening.toSecretChecks().toReversed());
  });

  test("what an older one sealed is sealed anew, once", async () => {
    const sealed = seal("x", "second factor", "owner");
    expect(sealAgain(sealed, "second factor", "owner")).toBeNull();
    const sealing = await withSecrets(`${NEW},${OLD}`);
    const fresh = sealing.sealAgain(sealed, "second factor", "owner") ?? "";
    expect(sealing.sealAgain(fresh, "second factor", "owner")).toBeNull();
    const alone = await withSecrets(NEW);
    expect(alone.unseal(fresh, "second factor", "owner")).toBe("x");
    expect(() => alone.sealAgain(sealed, "second factor", "owner")).toThrow();
  });
});
