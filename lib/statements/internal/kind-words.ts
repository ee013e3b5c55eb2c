import type { AccountLine, StatedAccount } from "#lib/funds/account-lines.ts";
import { FLOAT_KIND_NAMES } from "#lib/funds/float-kinds.ts";
import type { FloatKind } from "#lib/funds/float-kinds.ts";
import type { TransferKind } from "#lib/ledger/decide.ts";

/** The words for one movement of an account, and for all movements of a period. */
interface Words {
  one: string;
  all: string;
}

type CardKind = Exclude<TransferKind, "float_top_up" | "deficit_repayment">;

/** In the order in which a statement lists the totals. */
const WORDS: {
  float: Readonly<Record<FloatKind, Words>>;
  card: Readonly<Record<CardKind, Words>>;
} = {
  float: {
    float_top_up: { one: FLOAT_KIND_NAMES.float_top_up, all: "Top-ups" },
    card_credit: { one: FLOAT_KIND_NAMES.card_credit, all: "Funded cards" },
    card_debit: { one: FLOAT_KIND_NAMES.card_debit, all: "Returned from cards" },
    card_sweep: { one: FLOAT_KIND_NAMES.card_sweep, all: "Returned from closed cards" },
    cover: { one: FLOAT_KIND_NAMES.cover, all: "Covered purchases" },
    cover_return: { one: FLOAT_KIND_NAMES.cover_return, all: "Cover returned from cards" },
    deficit_repayment: { one: FLOAT_KIND_NAMES.deficit_repayment, all: "Deficit repaid" },
  },
  card: {
    card_credit: { one: "Funded from the float", all: "Funded from the float" },
    card_purchase: { one: "Purchase", all: "Purchases" },
    card_refund: { one: "Refund", all: "Refunds" },
    cover: { one: "Covered by the float", all: "Covered by the float" },
    deficit_cover: { one: "Covered by the deficit", all: "Covered by the deficit" },
    cover_return: { one: "Cover returned to the float", all: "Cover returned to the float" },
    card_debit: { one: "Returned to the float", all: "Returned to the float" },
    card_sweep: {
      one: "Returned to the float after closing",
      all: "Returned to the float after closing",
    },
  },
};

/** The kinds of movements that an account can have, in the order in which a statement lists its totals. */
export function listKinds(account: StatedAccount["kind"]): TransferKind[] {
  // The keys of a record of kinds are kinds.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(WORDS[account]) as TransferKind[];
}

function findWords(account: StatedAccount["kind"], kind: TransferKind): Words | undefined {
  const words: Partial<Record<TransferKind, Words>> = WORDS[account];
  return words[kind];
}

/** All movements of a kind in a period: `Funded cards`. */
export function toTotalName(account: StatedAccount["kind"], kind: TransferKind): string {
  return findWords(account, kind)?.all ?? kind;
}

/**
 * What one line of a statement was: `Funded card •••• 9775`, and for a card `Purchase: Café Ada`.
 * @param last4 of the card on the other side of a float's line.
 */
export function toLineWords(
  account: StatedAccount["kind"],
  { kind, merchant }: Pick<AccountLine, "kind" | "merchant">,
  last4: string | null,
): string {
  const words = findWords(account, kind)?.one ?? kind;
  if (account === "float") {
    return last4 === null ? words : `${words} •••• ${last4}`;
  }
  return merchant === null ? words : `${words}: ${merchant.name}`;
}
