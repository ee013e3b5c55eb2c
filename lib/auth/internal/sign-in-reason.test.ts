import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { whileAway, whileFull } from "#test/database/broken-database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { enter } from "#test/scene/sign-in.ts";
import { newPerson } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { toSignInReason } from "#lib/auth/internal/sign-in-reason.ts";
import { DomainError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";

const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);
const request = { id: newId(), address: null, agent: null };

let person: TestStaff;

beforeAll(async () => {
  const { id } = await newIntegrator();
  person = await newPerson(id);
});

beforeEach(() => warned.mockClear());

/** What somebody hears who enters the right password; null if they are signed in. */
function findReason(): Promise<string | null> {
  return enter({ email: person.email, password: PASSWORD }).then(
    () => null,
    (error: unknown) => toSignInReason(error, request),
  );
}

test.each([
  { fault: "does not answer", during: whileAway, code: "database_unavailable", sqlstate: "53300" },
  { fault: "has no room left", during: whileFull, code: "database_full", sqlstate: "53100" },
])(
  "while the database $fault, whoever signs in is told that, and the log says why",
  async ({ during, code, sqlstate }) => {
    await during(async () => {
      await expect
        .poll(async () => {
          warned.mockClear();
          expect(await findReason()).toBe(code);
          return warned.mock.calls.map(([said]): unknown => said);
        })
        .toMatchObject([{ requestId: request.id, code, sqlstate }]);
    });
    expect(await findReason()).toBeNull();
  },
);

test("whoever signs in while too many do hears that, and no fault is logged", () => {
  const refusal = new DomainError("overloaded", "Too many sign-ins at once.");
  expect(toSignInReason(refusal, request)).toBe("overloaded");
  expect(toSignInReason(new Error("throttled:5"), request)).toBe("throttled:5");
  expect(warned).not.toHaveBeenCalled();
});
