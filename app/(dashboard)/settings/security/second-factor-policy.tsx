"use client";

import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { Switch } from "../../../ui/checkbox.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

/** Whether all staff must have a second factor. */
export function SecondFactorPolicy({
  required,
  disabledReason,
}: {
  required: boolean;
  disabledReason: string | null;
}) {
  const change = useOperation(OPERATIONS.requireSecondFactor, (answer) => {
    notify(
      answer.required
        ? "Two-factor authentication is now required. Staff without it must set it up."
        : "Two-factor authentication is no longer required.",
    );
  });
  return (
    <div className="flex flex-col gap-3">
      <Switch
        isDisabled={disabledReason !== null || change.isPending}
        isSelected={required}
        onChange={(next) => change.mutate({ body: { required: next } })}
      >
        Require two-factor authentication for all staff
      </Switch>
      {disabledReason !== null && <p className="text-muted text-xs">{disabledReason}</p>}
      <ProblemAlert error={change.error} />
    </div>
  );
}
