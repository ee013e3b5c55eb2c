import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "#lib/staff/passwords.ts";

test("a password verifies against its own hash and no other", async () => {
  const stored = await hashPassword("correct horse battery");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]+\$[\w+/]+$/u);
  expect(await verifyPassword("correct horse battery", stored)).toBe(true);
  expect(await verifyPassword("correct horse batterz", stored)).toBe(false);
});

test("twenty-two passwords are hashed at once, and the next is refused as overloaded", async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 23 }, () => hashPassword("correct horse battery")),
  );
  expect(attempts.filter(({ status }) => status === "rejected")).toMatchObject([
    { reason: { code: "overloaded" } },
  ]);
});
