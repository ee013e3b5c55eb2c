import { DomainError } from "#lib/base/errors.ts";
import type { IntegratorAccounts } from "#lib/ledger/accounts.ts";
import { booksUnbalanced } from "#lib/ledger/books-unbalanced.ts";

type Pausing = Pick<IntegratorAccounts, "clockAdvancing">;
type Suspending = Pausing & Pick<IntegratorAccounts, "booksUnbalanced">;

/** Why an integrator's funds cannot move at the moment; null when they can. */
export function findSuspension(integrator: Suspending): DomainError | null {
  return integrator.booksUnbalanced ? booksUnbalanced() : findPause(integrator);
}

/** Why nothing about an integrator's cards can change at the moment; null when it can. */
export function findPause({ clockAdvancing: isAdvancing }: Pausing): DomainError | null {
  return isAdvancing ? clockAdvancing() : null;
}

/** @throws DomainError `clock_advancing` while the integrator's deadlines are being moved. */
export function requireUnpaused(integrator: Pausing): void {
  const pause = findPause(integrator);
  if (pause) {
    throw pause;
  }
}

/** The refusal of every change of cards and funds while the deadlines of a sandbox are being moved. */
export function clockAdvancing(): DomainError {
  return new DomainError(
    "clock_advancing",
    "The sandbox clock of this account is advancing. Nothing was changed. Try again in a moment.",
  );
}
