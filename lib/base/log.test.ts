import { expect, test } from "vitest";
import { toLoggedError } from "#lib/base/log.ts";

test("the logged form of a failed statement contains none of its parameters", () => {
  const driver = Object.assign(new Error("duplicate key value"), {
    code: "23505",
    parameters: ["a secret"],
  });
  const error = new Error("Failed query: insert into staff\nparams: a secret,\nanother secret", {
    cause: driver,
  });
  const logged = JSON.stringify(toLoggedError(error));
  expect(logged).toContain("Failed query: insert into staff");
  expect(logged).toContain("23505");
  expect(logged).not.toContain("secret");
});
