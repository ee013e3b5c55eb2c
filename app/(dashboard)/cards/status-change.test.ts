import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { freezeSeen, undoStatus, unfreezeSeen } from "./status-change.ts";
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

const CHANGED: [number, object] = [409, { code: "card_status_changed", status: 409, detail: "" }];
const WHY = { reason: "lost", comment: null, level: "staff" } as const;
const SEEN = { id: "card", statusVersion: 1 };

test("a freeze that meets somebody else's freeze adds its reason, and is not its own to undo", async () => {
  answers = [
    CHANGED,
    [200, { status: "frozen", status_version: 2 }],
    [200, { status: "frozen", status_version: 3 }],
  ];
  expect(await freezeSeen(SEEN, WHY)).toMatchObject({
    card: { status_version: 3 },
    isChanged: false,
  });
  expect(asked).toEqual([
    ["PATCH /api/cards/card/freeze", { ...WHY, status_version: 1 }],
    ["GET /api/cards/card"],
    ["PATCH /api/cards/card/freeze", { ...WHY, status_version: 2 }],
  ]);
});

test("a freeze goes on where somebody froze and unfroze the card meanwhile", async () => {
  answers = [
    CHANGED,
    [200, { status: "active", status_version: 3 }],
    [200, { status: "frozen", status_version: 4 }],
  ];
  expect(await freezeSeen(SEEN, WHY)).toMatchObject({ isChanged: true });
  expect(asked.at(-1)).toEqual(["PATCH /api/cards/card/freeze", { ...WHY, status_version: 3 }]);
});

test("an unfreeze lifts the freeze that was seen, or none", async () => {
  answers = [CHANGED];
  const lift = { level: "compliance", comment: null } as const;
  await expect(unfreezeSeen(SEEN, lift)).rejects.toMatchObject({
    problem: { code: "card_status_changed" },
  });
  expect(asked).toEqual([["PATCH /api/cards/card/unfreeze", { ...lift, status_version: 1 }]]);
});

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
