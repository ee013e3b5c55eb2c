import { expect, test } from "vitest";
import { toWithdrawn } from "./withdrawn-amount.ts";
import { listCardActivity } from "#lib/operations/cards/list-card-activity.ts";

const REQUEST = "0199c8a0-0000-7000-8000-000000000001";
const EARLIER = "0199c8a0-0000-7000-8000-000000000000";

const [sample] = listCardActivity.answer.parse(listCardActivity.examples[0].answer).data;

function toActivity(requestId: string, amount: number) {
  if (!sample?.transaction) {
    throw new Error("The example of the timeline has no transaction.");
  }
  return {
    ...sample,
    request_id: requestId,
    transaction: { ...sample.transaction, type: "debit" as const, amount },
  };
}

test("a withdrawal is the sum of its request's debits", () => {
  const data = [toActivity(REQUEST, 250), toActivity(REQUEST, 1_000), toActivity(EARLIER, 7)];
  expect(toWithdrawn({ data, next_cursor: "more" }, REQUEST)).toBe(1_250);
  expect(toWithdrawn({ data: data.slice(0, 2), next_cursor: null }, REQUEST)).toBe(1_250);
});

test("no amount is named where some of it may be on the next page, or none is listed", () => {
  const data = [toActivity(REQUEST, 250), toActivity(REQUEST, 1_000)];
  expect(toWithdrawn({ data, next_cursor: "more" }, REQUEST)).toBeNull();
  expect(toWithdrawn({ data: [toActivity(EARLIER, 7)], next_cursor: null }, REQUEST)).toBeNull();
});
