import { z } from "zod";
import type { EventData } from "#lib/events/event.ts";

export const id = z.uuid();
export const money = z.int();

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
