"use client";

import { notify } from "../../../../../client/notice-store.ts";
import { useOperation } from "../../../../../client/use-operation.ts";
import { GuardedButton } from "../../../../../ui/guarded-button.tsx";
import { ProblemAlert } from "../../../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../../../client/operations.ts";

/** Sends a delivery once more, whether or not it arrived before. */
export function Resend({ id, disabledReason }: { id: string; disabledReason: string | null }) {
  const resend = useOperation(OPERATIONS.resendWebhookDelivery, () => {
    notify("Delivery queued");
  });
  return (
    <div className="flex max-w-sm flex-col items-end gap-2">
      <GuardedButton
        isPending={resend.isPending}
        disabledReason={disabledReason}
        onPress={() => resend.mutate({ id })}
      >
        Resend
      </GuardedButton>
      <ProblemAlert error={resend.error} />
    </div>
  );
}
