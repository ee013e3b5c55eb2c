"use client";

import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { useOperation } from "../../../client/use-operation.ts";
import { Switch } from "../../../ui/checkbox.tsx";

/** What the account asks of everyone who freezes a card. */
export function FreezeSettings({
  isReasonRequired,
  disabledReason,
}: {
  isReasonRequired: boolean;
  disabledReason: string | null;
}) {
  const update = useOperation(OPERATIONS.updateSettings, () => {
    notify("Changes saved");
  });
  return (
    <div className="flex flex-col gap-3">
      <Switch
        isDisabled={disabledReason !== null || update.isPending}
        isSelected={isReasonRequired}
        onChange={(freeze_reason_required) => update.mutate({ body: { freeze_reason_required } })}
      >
        Require a reason for every freeze, by staff and by API keys
      </Switch>
      {disabledReason !== null && <p className="text-muted text-xs">{disabledReason}</p>}
      <ProblemAlert error={update.error} />
    </div>
  );
}
