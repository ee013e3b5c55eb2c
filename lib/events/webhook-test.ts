import { z } from "zod";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";
import type { Part } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

export const webhookTest = event({
  name: "webhook.test",
  order: 1,
  when: "A test event was requested.",
  data: z.strictObject({ message: z.string().describe("That this is a test.") }),
  example: {
    data: { message: "This is a test. Nothing happened to your cards or your float." },
  },
  actions: { "webhooks.tested": "Test webhook sent" },
  format: (formatter) => say`${formatter.who} sent ${toTest(formatter)}`,
  trigger: { calls: [["webhooks.sendTest"]] },
});

/** Links to the delivery, which the audit entry names and the event does not. */
function toTest(formatter: EventFormatter): Part {
  const text = "a test webhook";
  const delivery = formatter.text("delivery");
  return delivery === "" ? text : { text, href: `/developers/webhooks/deliveries/${delivery}` };
}
