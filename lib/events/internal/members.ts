import { z } from "zod";
import type { EventData } from "#lib/events/event.ts";

export const id = z.uuid();
export const money = z.int();

export const transactionReference = id.describe("The id of the transaction.");
export const cardBalanceAfter = money.describe(
  "The card's balance right after the event, in minor units, holds included.",
);
export const floatBalance = money.describe("The float's balance right after, in minor units.");

/** Data of an event's own: the table of docs/webhooks.md lists its members. */
export function membersOf(shape: z.core.$ZodLooseShape, name?: string): EventData {
  const schema = z.strictObject(shape);
  return {
    schema: name === undefined ? schema : schema.meta({ id: name }),
    text: Object.keys(shape)
      .map((member) => `\`${member}\``)
      .join(", "),
  };
}
