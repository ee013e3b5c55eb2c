import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { undoStatus } from "./status-change.ts";
import type { CardResource } from "./[id]/acts.ts";

/** What the server is to answer, in order, and what it was asked. */
let answers: [status: number, body: object][];
let asked: unknown[];

beforeEach(() => {
  answers = [];
  asked = [];
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", async (url: string, { method, body }: RequestInit) => {
    asked.push([`${method} ${url}`, ...(typeof body === "string" ? [JSON.parse(body)] : [])]);
    const [status, answer] = answers.shift() ?? [500, {}];
    return Response.json(answer, { status });
  });
});

afterEach(() => vi.unstubAllGlobals());

const WHY = { reason: "lost", comment: null, level: "staff" } as const;
test("an undo names the version that the change answered", async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const changed = { id: "card", status_version: 7 } as CardResource;
  answers = [
    [200, { status_version: 8 }],
    [200, { status_version: 8 }],
  ];
  await undoStatus(changed, { lift: "cardholder" });
  await undoStatus(changed, { freeze: WHY });
  expect(asked).toEqual([
    [
      "PATCH /api/cards/card/unfreeze",
      { comment: "Undo of a freeze", level: "cardholder", status_version: 7 },
    ],
    ["PATCH /api/cards/card/freeze", { ...WHY, status_version: 7 }],
  ]);
});
