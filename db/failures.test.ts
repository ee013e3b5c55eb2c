import { expect, test } from "vitest";
import { DatabaseFailure, isRetryable, isUncertain, isUnavailable, classify } from "./failures.ts";
import { databaseCause, toChangeFailure, toFailure } from "./failures.ts";
import type { FailureKind } from "./failures.ts";
import { SQLSTATES } from "#test/database/sqlstates.ts";

const ALL = Object.values(SQLSTATES).flatMap((states) => states.split(/\s+/u));

function listCodes(kind: FailureKind): string {
  return ALL.filter((state) => classify(state) === kind)
    .toSorted()
    .join(" ");
}

function error(code: string, message = "…"): Error {
  // As thrown: drizzle's error around the driver's.
  return new Error("Failed query", { cause: Object.assign(new Error(message), { code }) });
}

test("every SQLSTATE of PostgreSQL has a kind", () => {
  expect(ALL).toHaveLength(new Set(ALL).size);
  expect(listCodes("unavailable")).toBe(
    [
      "08000 08001 08003 08004 08006 08007 08P01",
      "25006 25P03 25P04",
      "28000 28P01",
      "3D000",
      "40003",
      "42501",
      "53000 53100 53200 53300 53400",
      "55P03",
      "57000 57014 57P01 57P02 57P03 57P04 57P05",
      "58000 58030 58P01 58P02 58P03",
    ].join(" "),
  );
  expect(listCodes("contended")).toBe("40000 40001 40P01 72000");
  expect(listCodes("stale")).toBe("0A000 26000");
});

test.each([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "EAI_AGAIN",
  "EACCES",
  "EAGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EMFILE",
  "ENOENT",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
])("%s means the database is unreachable", (code) => {
  expect(classify(code)).toBe("unavailable");
});

test("an unknown or missing code is a defect", () => {
  expect(["", "ERR_INVALID_ARG_TYPE", "card_not_found", "unknown"].map(classify)).toEqual(
    Array.from({ length: 4 }, () => "defect"),
  );
});

test("callers get a 503 for what the database cannot do now, even when every attempt was contended, and defects unchanged", () => {
  for (const code of ["25006", "53100", "58030", "40003", "40P01", "40001"]) {
    expect(toFailure(error(code))).toMatchObject({ code: "database_unavailable" });
  }
  const changeCodes = ["53100", "53200"].map((code) => toChangeFailure(error(code)));
  expect(changeCodes).toMatchObject([{ code: "database_full" }, { code: "database_unavailable" }]);
  const known = new DatabaseFailure("outcome_unknown", "…");
  expect(toFailure(known)).toBe(known);
  for (const code of ["0A000", "23505", "42P01", "XX001"]) {
    const defect = error(code);
    expect(toFailure(defect)).toBe(defect);
    expect(isUnavailable(defect)).toBe(false);
  }
});

test("the root of a failure is what the database said, with its SQLSTATE, or what its absence was noticed by", () => {
  expect(databaseCause(toFailure(error("53300", "sorry, too many clients already")))).toEqual({
    sqlstate: "53300",
    reason: "sorry, too many clients already",
  });
  // Five letters, as a SQLSTATE has.
  expect(databaseCause(toFailure(error("EPIPE", "write EPIPE")))).toEqual({
    sqlstate: undefined,
    reason: "write EPIPE",
  });
  expect(databaseCause(toFailure(error("ECONNREFUSED", "")))?.reason).toBe("ECONNREFUSED");
  const timeout = new DatabaseFailure("database_unavailable", "It took too long.");
  expect(databaseCause(new DatabaseFailure("outcome_unknown", "…", timeout))).toBeUndefined();
});

test("after COMMIT was sent, an error that may follow its write is uncertain, and a rollback is final", () => {
  for (const code of ["25006", "40003", "53100", "57P01", "58030", "CONNECTION_CLOSED", "XX000"]) {
    expect(isUncertain(error(code))).toBe(true);
  }
  for (const code of ["23505", "40001", "40P01", "P0001"]) {
    expect(isUncertain(error(code))).toBe(false);
  }
  expect(["40001", "40P01", "0A000", "26000"].map((code) => isRetryable(error(code)))).toEqual(
    Array.from({ length: 4 }, () => true),
  );
});
