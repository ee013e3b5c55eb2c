import type { ReferenceOperation } from "../../reference/reference.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import { getFloat } from "#lib/funds/float.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { listTransactions } from "#lib/transactions/transactions.ts";

/** The form's initial values: the document's example, with ids of the person's own account. */
export interface FilledIn {
  id: string;
  body: string;
  currency: string;
}

/** Fills in the newest records, so that the first request succeeds unchanged. */
export async function fillIn(
  { contract, example }: ReferenceOperation,
  session: StaffSession,
): Promise<FilledIn> {
  const { integratorId } = session.actor;
  const { card, transaction, currency } = await readAs(session, async (ctx) => {
    const [cards, transactions, float] = await Promise.all([
      listCards(ctx, { limit: 1, statuses: ["active"] }),
      listTransactions(ctx, { limit: 1 }),
      getFloat(ctx),
    ]);
    return { card: cards.rows[0], transaction: transactions.rows[0], currency: float.currency };
  });
  const ids: Readonly<Record<string, string | undefined>> = {
    card_id: card?.id,
    user_id: card?.cardholderId,
    transaction_id: transaction?.id,
    integrator_id: integratorId,
    card_integrator_id: integratorId,
  };
  const own = contract.notFound?.replace("_not_found", "_id");
  return {
    id: (own && ids[own]) ?? "",
    body: example === undefined ? "{}" : JSON.stringify(withIds(example, ids), null, 2),
    currency,
  };
}

/** The example, with invented ids replaced by the account's own. */
function withIds(example: unknown, ids: Readonly<Record<string, string | undefined>>): unknown {
  return JSON.parse(JSON.stringify(example), (name, value: unknown) =>
    typeof value === "string" ? (ids[name] ?? value) : value,
  );
}
