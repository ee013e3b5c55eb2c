import { withTable } from "./guide-table.ts";
import type { Row } from "./guide-table.ts";
import { growsHold, isReversed } from "#lib/purchases/increments.ts";
import { findPostedAs } from "#lib/purchases/posted-as.ts";
import type { Posting } from "#lib/purchases/posted-as.ts";
import type { CardStatus } from "#lib/cards/card-state.ts";
import type { TransactionStatus } from "#lib/transactions/transaction-kinds.ts";

/** The table of what the card network's messages do. `lib/processor/message-table.test.ts` tests each cell. */

const GUIDE = "docs/ledger.md";
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
  "approved by the network": {
    authorization: { status: "authorized", approvedBy: "network" },
    open: HELD,
    expired: false,
  },
  "captured in part": { authorization: { status: "settled" }, open: HELD, expired: false },
  "captured in full": nothingHeld("settled"),
  "captured before it arrived": nothingHeld("captured"),
  declined: nothingHeld("declined"),
  reversed: nothingHeld("reversed"),
  expired: nothingHeld("expired"),
  "a verification": nothingHeld("authorized"),
};

const CARDS: readonly CardStatus[] = ["active", "frozen", "closed"];

/** The text of the guide, with the table. */
export function listPostings(): Record<string, string> {
  const rows = Object.entries(MESSAGES).flatMap(([name, toCell]) => toRows(name, toCell));
  const head = ["message", "authorization", ...CARDS.map((status) => `${status} card`)];
  return { [GUIDE]: withTable(GUIDE, [head, ...rows]) };
}

/**
 * What a message does; undefined where it cannot occur: an increment, or a capture by id, names an authorization that
 * has arrived.
 */
type ToCell = (authorized: Authorized, status: CardStatus) => string | undefined;

const MESSAGES: Readonly<Record<string, ToCell>> = {
  capture: (authorized, status) =>
    `\`${findPostedAs({ ...authorized, amount: Math.max(1, authorized.open), status })}\``,
  "capture of more": (authorized, status) =>
    authorized.open > 0
      ? `\`${findPostedAs({ ...authorized, amount: authorized.open + 1, status })}\``
      : undefined,
  "final capture of 0": ({ authorization, open }) =>
    authorization === null
      ? undefined
      : toReleased({ authorization, open }, "kept, and then booked"),
  reversal: ({ authorization, open }) =>
    authorization === null ? undefined : toReleased({ authorization, open }, "remembered"),
  increment: ({ authorization, ...hold }, status) => {
    if (authorization === null || authorization === "awaited") {
      return undefined;
    }
    if (isReversed(authorization)) {
      return "`reversed_before`";
    }
    if (status !== "active") {
      return `\`card_${status}\``;
    }
    return growsHold(hold) ? "the hold grows" : "an authorization of its own";
  },
};

function toReleased(
  { authorization, open }: Pick<Posting, "authorization" | "open">,
  early: string,
): string {
  if (authorization === "awaited") {
    return early;
  }
  return open > 0 ? "releases the rest" : "changes nothing";
}

function toRows(message: string, toCell: ToCell): Row[] {
  return Object.entries(AUTHORIZATIONS).flatMap(([name, authorized]) => {
    const cells = CARDS.flatMap((status) => toCell(authorized, status) ?? []);
    return cells.length === 0 ? [] : [[message, name, ...cells]];
  });
}
