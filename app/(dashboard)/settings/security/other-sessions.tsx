"use client";

import { Button, toast } from "@heroui/react";
import { useOperation } from "../../../client/use-operation.ts";
import { revokeOtherSessions } from "#lib/api/contract/staff.ts";

/** Signs one out everywhere but here. */
export function OtherSessions() {
  const revoke = useOperation(revokeOtherSessions, () => {
    toast.success("You are signed out everywhere else.");
  });
  return (
    <Button
      isPending={revoke.isPending}
      onPress={() => revoke.mutate({})}
      size="sm"
      variant="tertiary"
    >
      Sign out everywhere else
    </Button>
  );
}
