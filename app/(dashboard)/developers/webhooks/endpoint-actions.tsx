"use client";

import { useState } from "react";
import { fetched } from "../../../client/fetched.tsx";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

const RecoverDialog = fetched(() =>
  import("./recover-dialog.tsx").then((loaded) => loaded.RecoverDialog),
);

/** Enables notifications again, and recovers missed ones. */
export function EndpointActions({
  endpointId,
  isSwitchedOff,
  since,
  disabledReasons,
}: {
  endpointId: string;
  isSwitchedOff: boolean;
  /** The earliest time since which something may have been missed. */
  since: string;
  /** Why this cannot be done now; null if it can. */
  disabledReasons: { enable: string | null; recover: string | null };
}) {
  const [recoverSince, setRecoverSince] = useState<string | null>(null);
  const enable = useOperation(OPERATIONS.enableWebhooks, () => {
    notify("Webhooks enabled");
    setRecoverSince(since);
  });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {isSwitchedOff && (
          <GuardedButton
            isPending={enable.isPending}
            disabledReason={disabledReasons.enable}
            onPress={() => enable.mutate({ body: { endpoint_id: endpointId } })}
            size="sm"
            variant="secondary"
          >
            Enable
          </GuardedButton>
        )}
        <GuardedButton
          disabledReason={disabledReasons.recover}
          onPress={() => setRecoverSince(since)}
          size="sm"
          variant="secondary"
        >
          Recover missed events
        </GuardedButton>
      </div>
      <ProblemAlert error={enable.error} />
      {recoverSince !== null && (
        <RecoverDialog
          endpointId={endpointId}
          onClose={() => setRecoverSince(null)}
          since={recoverSince}
        />
      )}
    </div>
  );
}
