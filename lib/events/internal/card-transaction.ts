import type { Part } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";

/** The start of a sentence about a verification, linked to it. */
export function toVerification(teller: Teller): Part {
  return { text: "A verification", href: `/transactions/${teller.text("reference")}` };
}

/** ` at Blue Bottle`; empty without a merchant. */
export function toMerchant({ after: { merchant } }: Teller): string {
  return typeof merchant === "object" && merchant !== null && "name" in merchant
    ? ` at ${String(merchant.name)}`
    : "";
}
