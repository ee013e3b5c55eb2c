"use client";

import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { useOperation } from "../../../client/use-operation.ts";
import { Switch } from "../../../ui/checkbox.tsx";
import type { AutoFreeze } from "./auto-freeze-dialog.tsx";
import { EditAutoFreeze, EditIdleFreeze } from "./edit-buttons.tsx";
import { toAutoFreezeText } from "#lib/transactions/auto-freeze.ts";

/** What the account requires from everyone who freezes a card, and when cards freeze automatically. */
export function FreezeSettings({
  isReasonRequired,
  autoFreeze,
  idleFreezeDays,
  disabledReason,
}: {
  isReasonRequired: boolean;
  autoFreeze: AutoFreeze | null;
  idleFreezeDays: number | null;
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
      <div className="flex items-start justify-between gap-3">
        <p>
          {autoFreeze
            ? `A card freezes after ${toAutoFreezeText(autoFreeze)}.`
            : "Cards do not freeze after repeated declines."}
        </p>
        <EditAutoFreeze autoFreeze={autoFreeze} disabledReason={disabledReason} />
      </div>
      <div className="flex items-start justify-between gap-3">
        <p>
          {idleFreezeDays === null
            ? "Cards that nobody uses do not freeze."
            : `A card freezes when it is not used for ${idleFreezeDays} days.`}
        </p>
        <EditIdleFreeze disabledReason={disabledReason} idleFreezeDays={idleFreezeDays} />
      </div>
      {disabledReason !== null && <p className="text-muted text-xs">{disabledReason}</p>}
      <ProblemAlert error={update.error} />
    </div>
  );
}
