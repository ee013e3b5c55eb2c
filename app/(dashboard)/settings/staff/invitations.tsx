"use client";

import type { Elements } from "../../../ui/elements.ts";
import { Button } from "../../../ui/button.tsx";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import type { Role } from "#lib/access/roles.ts";

/** Invitations that have not been used. */
export function Invitations({
  invitations,
}: {
  invitations: readonly { id: string; email: string; role: Role; expires: Elements }[];
}) {
  const revoke = useOperation(OPERATIONS.revokeInvitation, () => {
    notify("Invitation revoked");
  });
  return (
    <>
      <ProblemAlert error={revoke.error} />
      <ul className="divide-separator divide-y">
        {invitations.map(({ id, email, role, expires }) => (
          <li
            aria-label={email}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3"
            key={id}
          >
            <span className="min-w-0 flex-1 truncate">{email}</span>
            <span className="text-muted text-xs">
              <span>expires</span> {expires}
            </span>
            <span className="w-20 capitalize">{role}</span>
            <Button
              isPending={revoke.isPending}
              onPress={() => revoke.mutate({ id })}
              size="sm"
              variant="secondary"
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
