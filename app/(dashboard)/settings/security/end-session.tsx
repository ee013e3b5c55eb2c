"use client";

import { Button } from "../../../ui/button.tsx";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

/** Signs the person out of one of their other sessions. */
export function EndSession({ id, device }: { id: string; device: string }) {
  const revoke = useOperation(OPERATIONS.revokeOwnSession, () => {
    notify(`Signed out of ${device}`);
  });
  return (
    <>
      <Button
        aria-label={`Sign out of ${device}`}
        isPending={revoke.isPending}
        onPress={() => revoke.mutate({ id })}
        size="sm"
        variant="secondary"
      >
        Sign out
      </Button>
      <ProblemAlert error={revoke.error} />
    </>
  );
}
