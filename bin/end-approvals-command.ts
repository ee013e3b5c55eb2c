import { endApprovals } from "#lib/operator/end-approvals.ts";
import { inTransaction } from "#db/transaction.ts";
import { newOrigin, onInstallation } from "./command.ts";
import type { Command } from "./command.ts";

/** The command that ends an account's approval rule when nobody is left who could approve its end. */
export const END_APPROVALS: Command = {
  words: ["integrator", "end-approvals"],
  summary: "Let everybody move funds alone again, when nobody is left who could approve that",
  takesId: true,
  options: {},
  run: onInstallation(async ({ db }, { id }) => {
    await inTransaction(db, (tx) => endApprovals(tx, newOrigin(), id));
    return { text: `Moves of integrator ${id} need no second person.`, json: { id } };
  }),
};
