import { expect } from "vitest";
import type { ApiReply } from "./api-client.ts";

/** Expects a complete problem: all members, its media type, and no caching. */
export function expectProblem(reply: ApiReply, expected: Record<string, unknown>): void {
  expect(reply.json).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    detail: expect.any(String),
    instance: expect.stringMatching(/^\/api\//u),
    message: expect.any(String),
    request_id: reply.headers.get("x-request-id"),
    ...expected,
  });
  expect(reply.headers.get("content-type")).toMatch(/^application\/problem\+json/u);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
}
