import { afterEach, expect, test, vi } from "vitest";
import { seal, toSecretCheck, unseal } from "#lib/base/seal.ts";

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
  vi.stubEnv("FLOATDECK_SECRET", "another secret for tests, long enough too");
  vi.resetModules();
  const other = await import("#lib/base/seal.ts");
  expect(() => other.unseal(sealed, "second factor", "owner")).toThrow();
  expect(other.toSecretCheck()).not.toBe(toSecretCheck());
});
