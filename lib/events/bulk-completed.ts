import { z } from "zod";
import { bulkCounts, bulkOperation, bulkState } from "#lib/api/contract/bulk.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { id } from "#lib/api/contract/event-members.ts";
import { say } from "#lib/sentences/say.ts";

export const bulkCompleted = event({
  name: "bulk.completed",
  order: 1,
  when: "A bulk job has ended, completed or canceled.",
  data: z.strictObject({
    id: id.describe("The id of the job."),
    operation: bulkOperation,
    check: z.boolean().describe("Whether it only checked, and changed nothing."),
    state: bulkState,
    ...bulkCounts,
  }),
  example: {
    data: {
      id: IDS.bulkJob,
      operation: "freeze",
      check: false,
      state: "completed",
      total: 1,
      done: 1,
      unchanged: 0,
      refused: 0,
      canceled: 0,
      amount: 0,
    },
  },
  format: ({ who, after }) =>
    say`A job by ${who} to ${String(after["operation"])} ${toCards(after["total"])} has ended: ${String(after["done"])} done, ${String(after["refused"])} refused`,
  trigger: {
    needs: "active card",
    calls: [["bulk.create", { operation: "unfreeze", items: [{ card_id: "$card" }] }]],
  },
});

function toCards(count: unknown): string {
  return count === 1 ? "1 card" : `${String(count)} cards`;
}
