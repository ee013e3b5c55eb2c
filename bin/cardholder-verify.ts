import { OPERATOR } from "#lib/base/actor.ts";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { verifyCardholder } from "#lib/cards/cardholder-verification.ts";
import { inTransaction } from "#db/transaction.ts";
import { newOrigin, onInstallation } from "./command.ts";
import type { Command, Input, Result } from "./command.ts";
import type { Installation } from "./installation.ts";

/** The command that records that the operator has verified a cardholder's identity. */
export const CARDHOLDER_VERIFY: Command = {
  words: ["cardholder", "verify"],
  summary: "Record that you have verified a cardholder's identity",
  takesId: true,
  options: { integrator: { about: "the id of their integrator" } },
  run: onInstallation(verifyIdentity),
};

async function verifyIdentity({ db }: Installation, { id, options }: Input): Promise<Result> {
  const integratorId = options["integrator"] ?? "";
  if (!isId(id) || !isId(integratorId)) {
    throw notFound("user_not_found");
  }
  const actor = { integratorId, ref: OPERATOR };
  const { firstName, lastName } = await inTransaction(db, (tx) =>
    verifyCardholder({ tx, request: newOrigin(), actor }, id),
  );
  return {
    text: `The cardholder ${firstName} ${lastName} is verified.`,
    json: { id, verified: true },
  };
}
