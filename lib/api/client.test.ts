import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callChange } from "#lib/api/client.ts";
import { freezeCard } from "#lib/operations/cards/freeze-card.ts";

/** The keys with which the server was asked. */
let keys: (string | null)[];
let answers: Response[];

beforeEach(() => {
  keys = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", async (_url: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get("idempotency-key"));
    return answers.shift();
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function refuse(code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ code, status: 409, detail: "Why." }, { status: 409, headers });
}

function freeze(): Promise<unknown> {
  const { signal } = new AbortController();
  const sent = callChange(
    async () => freezeCard,
    { id: "card" },
    { idempotencyKey: "key", signal },
  );
  // Whoever asserts on it comes after the timers.
  sent.catch(() => undefined);
  return sent;
}

test("a page sends a change again, with its key, while the answer is not final", async () => {
  answers = [
    refuse("idempotency_in_progress", { "Retry-After": "1" }),
    Response.json({ id: "card" }),
  ];
  const sent = freeze();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await sent).toEqual({ id: "card" });
  expect(keys).toEqual(["key", "key"]);
});

test("a page takes any other 409 for the outcome", async () => {
  answers = [refuse("card_closed")];
  await expect(freeze()).rejects.toMatchObject({ problem: { code: "card_closed" }, isFinal: true });
  expect(keys).toEqual(["key"]);
});
