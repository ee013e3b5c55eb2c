import type { Part } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";

/** The start of a sentence about a verification, linked to it. */
export function toVerification(formatter: EventFormatter): Part {
  return { text: "A verification", href: `/transactions/${formatter.text("reference")}` };
}

/** ` at Blue Bottle`; empty without a merchant. */
export function toMerchant({ after: { merchant } }: EventFormatter): string {
  return typeof merchant === "object" && merchant !== null && "name" in merchant
    ? ` at ${String(merchant.name)}`
    : "";
}
