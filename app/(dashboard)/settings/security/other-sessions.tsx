"use client";

import { Button } from "../../../ui/button.tsx";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

/** Signs the person out everywhere else. */
export function OtherSessions() {
  const revoke = useOperation(OPERATIONS.revokeOtherSessions, () => {
    notify("Signed out everywhere else");
  });
  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        isPending={revoke.isPending}
        onPress={() => revoke.mutate({})}
        size="sm"
        variant="secondary"
      >
        Sign out everywhere else
      </Button>
      <ProblemAlert error={revoke.error} />
    </div>
  );
}
