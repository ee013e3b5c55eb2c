import { withTable } from "./guide-table.ts";
import { findPostedAs } from "#lib/purchases/posted-as.ts";
import type { Posting } from "#lib/purchases/posted-as.ts";
import type { TransactionStatus } from "#lib/transactions/transaction-kinds.ts";

/** How the card network posts purchases, as the rules decide it. */

const GUIDE = "docs/money.md";
type Authorized = Omit<Posting, "amount" | "status">;

const HELD = 10;
const nothingHeld = (status: TransactionStatus): Authorized => ({
  authorization: { status },
  open: 0,
  expired: false,
});

const AUTHORIZATIONS: Readonly<Record<string, Authorized>> = {
  none: { authorization: null, open: 0, expired: false },
  "not arrived yet": { authorization: "awaited", open: 0, expired: false },
  open: { authorization: { status: "authorized" }, open: HELD, expired: false },
  "open, past its deadline": { authorization: { status: "authorized" }, open: HELD, expired: true },
  "captured in part": { authorization: { status: "settled" }, open: HELD, expired: false },
  "captured in full": nothingHeld("settled"),
  declined: nothingHeld("declined"),
  reversed: nothingHeld("reversed"),
  expired: nothingHeld("expired"),
};

const POSTINGS: Readonly<Record<string, Pick<Posting, "amount" | "status">>> = {
  "up to what it holds": { amount: 1, status: "active" },
  "more than it holds": { amount: HELD + 1, status: "active" },
  "more, on a closed card": { amount: HELD + 1, status: "closed" },
};

/** The text of the guide, with the table. */
export function listPostings(): Record<string, string> {
  const rows = Object.entries(AUTHORIZATIONS).map(([name, authorized]) => [
    name,
    ...Object.values(POSTINGS).map((posted) => `\`${findPostedAs({ ...authorized, ...posted })}\``),
  ]);
  return { [GUIDE]: withTable(GUIDE, [["authorization", ...Object.keys(POSTINGS)], ...rows]) };
}
