import { sql } from "drizzle-orm";
import type { Tx } from "#db/transaction.ts";

/** The channel that announces changes of cached credentials to all servers. */
export const CREDENTIAL_CHANNEL = "floatdeck_credentials";

/** Whose credentials changed: an integrator's, or the card network's if there is none. */
export interface CredentialChange {
  integratorId: string | null;
}

const CARD_NETWORK = "card network";

/**
 * Announces to all servers, once this transaction commits, that credentials or data cached with them have changed. A
 * commit with an announcement waits for every other such commit, so never call this in a transaction that moves funds.
 */
export async function announceCredentialChange(
  tx: Tx,
  { integratorId }: CredentialChange,
): Promise<void> {
  await tx.execute(sql`select pg_notify(${CREDENTIAL_CHANNEL}, ${integratorId ?? CARD_NETWORK})`);
}

/** Reads an announcement. */
export function toCredentialChange(payload: string): CredentialChange {
  return { integratorId: payload === CARD_NETWORK ? null : payload };
}
