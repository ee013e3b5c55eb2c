import { toApprovalWords } from "#lib/messages/approval-words.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";
import type { Part } from "#lib/sentences/say.ts";

/** What was asked for, with its amount: `credit a card ($2,500.00)`. */
export function toAskedFor(formatter: EventFormatter): Part {
  const words = toApprovalWords(formatter.text("operation"));
  const isMove = typeof formatter.after["amount"] === "number";
  return {
    text: isMove ? `${words} (${formatter.money("amount")})` : words,
    href: `/approvals/${formatter.text("id")}`,
  };
}
