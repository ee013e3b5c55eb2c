import { readCreditFile } from "./credit-file.ts";
import type { CreditFile } from "./credit-file.ts";
import { lookUp, NAMED_MAX } from "./named-cards.ts";
import type { NamedCard } from "./named-cards.ts";

/** Reads rows, and looks up the cards that they name by digits and name. @throws ApiProblem when a look-up fails. */
export async function readRows(text: string, currency: string): Promise<CreditFile> {
  const named: NamedCard[] = [];
  const file = readCreditFile(text, currency, (card) => {
    named.push(card);
    return { why: "" };
  });
  if (named.length === 0 || "fault" in file) {
    return file;
  }
  if (named.length > NAMED_MAX) {
    const shown = [named.length, NAMED_MAX].map((count) => count.toLocaleString("en-US"));
    return {
      fault: `${shown[0]} rows name their card by digits and name; at most ${shown[1]} can. Add a column "card_id" with the ID of each card.`,
    };
  }
  return readCreditFile(text, currency, await lookUp(named));
}
