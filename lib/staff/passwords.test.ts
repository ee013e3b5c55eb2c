import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "#lib/staff/passwords.ts";

test("a password verifies against its own hash and no other", async () => {
  const stored = await hashPassword("correct horse battery", "a");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]+\$[\w+/]+$/u);
  expect(await verifyPassword("correct horse battery", { stored, asker: "a" })).toBe(true);
  expect(await verifyPassword("correct horse batterz", { stored, asker: "a" })).toBe(false);
});

function hashMany(count: number, asker: string): Promise<string>[] {
  return Array.from({ length: count }, () => hashPassword("correct horse battery", asker));
}

const isRefused = ({ status }: PromiseSettledResult<string>) => status === "rejected";

test("twenty-two passwords are hashed at once, and the next is refused as overloaded", async () => {
  const attempts = await Promise.allSettled(hashMany(23, "a"));
  expect(attempts.filter(isRefused)).toMatchObject([{ reason: { code: "overloaded" } }]);
});

test("whoever asks for the most gives way to others, who are all served", async () => {
  const crowd = hashMany(22, "a");
  const others = ["b", "c", "d"].flatMap((asker) => hashMany(2, asker));
  const [crowded, served] = await Promise.all([
    Promise.allSettled(crowd),
    Promise.allSettled(others),
  ]);
  expect(served.filter(isRefused)).toEqual([]);
  expect(crowded.map(isRefused)).toEqual([...Array(16).fill(false), ...Array(6).fill(true)]);
});
