import { z } from "zod";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";
import type { Part } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";

export const webhookTest = event({
  name: "webhook.test",
  order: 1,
  when: "A test event was requested.",
  data: z.strictObject({ message: z.string().describe("That this is a test.") }),
  example: {
    data: { message: "This is a test. Nothing happened to your cards or your float." },
  },
  actions: { "webhooks.tested": "Test webhook sent" },
  tell: (teller) => say`${teller.who} sent ${toTest(teller)}`,
  trigger: { calls: [["webhooks.sendTest"]] },
});

/** The audit log names the delivery. */
function toTest(teller: Teller): Part {
  const text = "a test webhook";
  const delivery = teller.text("delivery");
  return delivery === "" ? text : { text, href: `/developers/webhooks/deliveries/${delivery}` };
}
