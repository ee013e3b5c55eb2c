import { APPROVAL, toDecided } from "#lib/api/contract/approval.ts";

/** An approval that has ended. */
export function toEnded(
  status: "approved" | "rejected" | "canceled",
  comment: string | null = null,
) {
  return { ...APPROVAL, ...toDecided(status), comment };
}
