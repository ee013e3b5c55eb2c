import { DomainError } from "#lib/base/errors.ts";

/** The refusal of every fund movement while the integrator's ledger check has an open discrepancy. */
export function booksUnbalanced(): DomainError {
  return new DomainError(
    "books_unbalanced",
    "The last ledger check of this account found a discrepancy. Fund movements are suspended until it is resolved.",
  );
}
