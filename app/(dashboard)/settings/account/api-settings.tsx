"use client";

import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Switch } from "../../../ui/checkbox.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import type { ApiVersion } from "#lib/base/api-versions.ts";

/** How the API treats this account's requests. */
export function ApiSettings({
  apiVersion,
  idempotencyRequired,
  logBodies,
  disabledReason,
}: {
  apiVersion: ApiVersion;
  idempotencyRequired: boolean;
  logBodies: boolean;
  disabledReason: string | null;
}) {
  const update = useOperation(OPERATIONS.updateSettings, () => {
    notify("Changes saved");
  });
  if (disabledReason !== null) {
    return (
      <p className="text-muted">{`API version ${apiVersion}. Idempotency keys are ${idempotencyRequired ? "required" : "optional"}. The API log ${logBodies ? "keeps" : "doesn't keep"} bodies. ${disabledReason}`}</p>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <Choice
        label="Default API version"
        onChange={(api_version) => update.mutate({ body: { api_version } })}
        options={API_VERSIONS.map((id) => ({ id, name: id }))}
        value={apiVersion}
      />
      <Switch
        isDisabled={update.isPending}
        isSelected={idempotencyRequired}
        onChange={(idempotency_required) => update.mutate({ body: { idempotency_required } })}
      >
        Require an Idempotency-Key header on every change
      </Switch>
      <Switch
        isDisabled={update.isPending}
        isSelected={logBodies}
        onChange={(log_bodies) => update.mutate({ body: { log_bodies } })}
      >
        Keep redacted bodies in the API log for 7 days
      </Switch>
      <ProblemAlert error={update.error} />
    </div>
  );
}
