import type { WriteContext } from "#lib/base/context.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import {
  lockCardholder,
  recordCardholder,
  refuse,
  writeCardholder,
} from "#lib/cards/internal/cardholder-records.ts";
import { cardholderCan } from "#lib/cards/cardholder-state.ts";

/**
 * Records that a cardholder's identity has been verified. One who is verified is returned as is.
 * @throws DomainError `user_not_found`, `user_erased`.
 */
export async function verifyCardholder(ctx: WriteContext, id: string): Promise<Cardholder> {
  const before = await lockCardholder(ctx, id);
  refuse(cardholderCan.change(before));
  if (before.verified) {
    return before;
  }
  const written = await writeCardholder(ctx, before, { verified: true });
  await recordCardholder(ctx, written, {
    event: "user.kyc-verification",
    data: { status: "verified" },
    previous: { status: "pending" },
    action: "cardholder.verified",
    before: { verified: false },
    after: { verified: true },
  });
  return written.row;
}
