import type { LockedCard } from "#lib/cards/card-lock.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { adjustAccountHeld, unchangedAccounts } from "#lib/ledger/decide.ts";
import type { EventDraft } from "#lib/record/events.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";

/** Writes an increase of the amount held on a locked card, with its records. `by` is in minor units. */
export async function writeHeld(
  { tx }: WriteContext,
  { accounts, account, integrator }: LockedCard,
  {
    by,
    ...records
  }: Pick<Changes, "transactions" | "updates"> & { by: number; events: readonly EventDraft[] },
): Promise<void> {
  const changes = unchangedAccounts(accounts);
  adjustAccountHeld(changes, account.id, by);
  await writeChanges(tx, integrator, { ...changes, ...records });
}
