"use client";

import { useRouter } from "next/navigation";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

/** Sends a test event and opens the page where it arrives. */
export function SendTest({
  endpointId,
  disabledReason,
  isWatchedHere,
}: {
  endpointId: string;
  disabledReason: string | null;
  /** Whether this page shows its arrival. */
  isWatchedHere: boolean;
}) {
  const router = useRouter();
  const send = useOperation(OPERATIONS.sendTestWebhook, ({ data }) => {
    notify("Test event queued");
    if (!isWatchedHere) {
      router.push(`/developers/webhooks/deliveries/${data.id}`);
    }
  });
  return (
    <div className="flex max-w-sm flex-col items-end gap-2">
      <GuardedButton
        isPending={send.isPending}
        disabledReason={disabledReason}
        onPress={() => send.mutate({ body: { endpoint_id: endpointId } })}
      >
        Send test event
      </GuardedButton>
      <ProblemAlert error={send.error} />
    </div>
  );
}
