import { expect, test } from "vitest";
import { say } from "./say.ts";

test("a sentence has no empty parts, wherever its links are", () => {
  const card = { text: "a card", href: "/cards/1" };
  expect(say`${card} was frozen by ${card}`).toEqual([card, " was frozen by ", card]);
});
