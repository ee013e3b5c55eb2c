import { assert, constantFrom, integer, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { toLoggedError, withoutSecrets } from "#lib/base/log.ts";
import { newToken } from "#lib/base/one-time-token.ts";

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

const letters = (length: number, alphabet: string) =>
  string({ unit: constantFrom(...alphabet.split("")), minLength: length, maxLength: length });
const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test("whatever looks like a secret of ours is redacted, wherever it stands in a line", () => {
  const secret = oneof(
    integer().map(() => newToken()),
    letters(43, `${BASE_62}-_`),
    constantFrom("fd_live_", "fd_test_c2_", "fd_live_c4095_").chain((begin) =>
      letters(36, BASE_62).map((rest) => begin + rest),
    ),
    letters(43, `${BASE_62}+/`).map((rest) => `whsec_${rest}=`),
  );
  const before = constantFrom("", " ", "/inbox/", '"', "?a=", "#", "\n", "\\", "\\\n", "Bearer ");
  const after = constantFrom("", " ", "/", '"', "&b", "\n", ".");
  assert(
    property(secret, before, after, (each, begin, end) => {
      const line = withoutSecrets(
        JSON.stringify({ path: `${begin}${each}${end}`, msg: "It failed." }),
      );
      expect(line).not.toContain(each);
      expect(JSON.parse(line)).toMatchObject({ msg: "It failed." });
    }),
    { examples: [[`whsec_${"0".repeat(36)}/000000=`, "\n", ""]], numRuns: 1_000 },
  );
});

test("ids, traces, and hashes stay as they are", () => {
  const line = JSON.stringify({
    requestId: "01890a5d-ac96-774b-bcce-b302099a8057",
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    fingerprint: "a".repeat(64),
    stack: "at admit (file:///srv/floatdeck/lib/api/edge/internal/admit.ts:20:11)",
  });
  expect(withoutSecrets(line)).toBe(line);
});
