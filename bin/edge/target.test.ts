import { describe, expect, test } from "vitest";
import { readTarget } from "./target.ts";

describe("a path below /api belongs to an operation only in its exact spelling", () => {
  test.each([
    "/./api/cards",
    "/x/../api/cards",
    "/_next/../api/cards",
    "/_next/%2e%2e/api/cards",
    "/%2e/api/cards",
    "/x/..%2fapi/cards",
    "/x/..%252fapi/cards",
    "/x\\..\\api/cards",
    "//api/cards",
    "/x//../api/cards",
    "/%61pi/cards",
    "/%2561pi/cards",
    "/api/../api/cards",
    "/api/cards/../health/live",
    "/api/cards/%2E%2e/health/live",
    "/api/auth/../cards",
    "/api/auth/%2e%2e/cards",
    "/api/auth/..%2fcards",
    "/api/auth/./session",
    "/api/auth//session",
    "/%61pi/auth/session",
    "/./api/auth/session",
    "http://own.example/x/../api/cards",
  ])("%s is refused", (given) => {
    expect(readTarget(given)).toEqual({ kind: "disguised" });
  });

  test.each([
    "/api",
    "/api/",
    "/api/cards",
    "/api/cards?search=../x",
    "/api/cards/..%2f..",
    "/api/cards/%zz",
    "/api/cards/%F0%9F%92%B3",
    "/api/authentic",
  ])("%s belongs to the API", (given) => {
    expect(readTarget(given)).toEqual({ kind: "api", host: undefined, url: given });
  });
});

describe("pages are given a path without dot segments", () => {
  test.each([
    ["/", "/"],
    ["/cards", "/cards"],
    ["/cards?next=/../api", "/cards?next=/../api"],
    ["/x/../cards", "/cards"],
    ["/cards/%2e%2e/float?a=1", "/float?a=1"],
    ["/.//evil.example", "/evil.example"],
    ["//evil.example/..%2f", "/evil.example/..%2f"],
    ["/\\evil.example", "/evil.example"],
    ["/cards/a%2Fb", "/cards/a%2Fb"],
    ["/_next/static/chunks/%5Broot%5D__1.js", "/_next/static/chunks/%5Broot%5D__1.js"],
    ["/.well-known/security.txt", "/.well-known/security.txt"],
    ["/api/auth/session", "/api/auth/session"],
    ["/api/auth/csrf?a=1", "/api/auth/csrf?a=1"],
    ["/api/auth/callback/credentials", "/api/auth/callback/credentials"],
    ["/apis", "/apis"],
  ])("%s as %s", (given, url) => {
    expect(readTarget(given)).toEqual({ kind: "pages", host: undefined, url });
  });
});

test.each([
  "/api/auth",
  "/api/auth/",
  "/api/auth/_log",
  "/api/auth/verify-request",
  "/api/auth/callback",
  "/api/auth/callback/email",
  "/api/auth/signin/credentials",
  "/api/auth/session/",
  "/api/auth/constructor",
])("%s is an action of next-auth that nothing uses, and reaches nobody", (given) => {
  expect(readTarget(given)).toEqual({ kind: "unused" });
});

test("an absolute target is its path, and its authority the host", () => {
  expect(readTarget("http://own.example:3000/api/cards?a=1")).toEqual({
    kind: "api",
    host: "own.example:3000",
    url: "/api/cards?a=1",
  });
  expect(readTarget("HTTPS://own.example?a=1")).toEqual({
    kind: "pages",
    host: "own.example",
    url: "/?a=1",
  });
});

test.each(["*", "", "cards", "own.example:443", "ftp://own.example/", "http:///cards", "/a#b"])(
  "%j is not a target",
  (given) => {
    expect(readTarget(given)).toEqual({ kind: "malformed" });
  },
);
