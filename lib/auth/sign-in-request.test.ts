import { expect, test } from "vitest";
import {
  refuseMalformedBody,
  refuseReadPassword,
  replaceForeignReason,
} from "#lib/auth/sign-in-request.ts";

function post(type: string, body: string): Request {
  return new Request("http://own.example/api/auth/signout", {
    method: "POST",
    headers: { "content-type": type },
    body,
  });
}

test.each(["{", "nonsense", "", '{"csrfToken": "a"'])(
  "a body that should be JSON and is not is 400 before next-auth reads it: %j",
  async (body) => {
    const refusal = await refuseMalformedBody(post("application/json; charset=utf-8", body));
    expect(refusal?.status).toBe(400);
    expect(await refusal?.json()).toEqual({ message: "The body must be valid JSON." });
  },
);

test.each([
  ["application/json", '{"csrfToken": "a"}'],
  ["application/json", "null"],
  ["application/x-www-form-urlencoded", "csrfToken=a"],
  ["text/plain", "{"],
])("every other body is left to next-auth, unread: %s %j", async (type, body) => {
  const request = post(type, body);
  expect(await refuseMalformedBody(request)).toBeUndefined();
  expect(await request.text()).toBe(body);
});

test.each([
  ["GET", ["callback", "credentials"], 405],
  ["HEAD", ["callback", "credentials"], 405],
  ["POST", ["callback", "credentials"], undefined],
  ["GET", ["callback", "oidc"], undefined],
  ["GET", ["csrf"], undefined],
])("a password's own path takes POST only: %s %j", (method, segments, status) => {
  const request = new Request("http://own.example/api/auth", { method });
  expect(refuseReadPassword(request, segments)?.status).toBe(status);
});

test.each([
  ["", "Default"],
  ["error=AccessDenied", "AccessDenied"],
  ["error=throttled:12", "throttled:12"],
  ["error=%E2%80%A6", "Default"],
  ["error=%0d%0aSet-Cookie:a", "Default"],
  ["error=a%26callbackUrl%3D//evil.example", "Default"],
])("of a reason, only our own words reach the error page: %j", (text, reason) => {
  const query = new URLSearchParams(text);
  replaceForeignReason(query, "error");
  expect(query.get("error")).toBe(reason);
});

test("the queries of other paths are left as they are", () => {
  const query = new URLSearchParams("error=%E2%80%A6");
  replaceForeignReason(query, "callback");
  expect(query.get("error")).toBe("\u2026");
});
