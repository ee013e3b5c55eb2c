"use client";

import type { Elements } from "../../../ui/elements.ts";
import { Button } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { RowName } from "../../../ui/row-name.tsx";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import type { Role } from "#lib/access/roles.ts";

interface Invitation {
  id: string;
  email: string;
  role: Role;
  expires: Elements;
}

/** Invitations that have not been used. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const revoke = useOperation(OPERATIONS.revokeInvitation, () => {
    notify("Invitation revoked");
  });
  return (
    <>
      <ProblemAlert error={revoke.error} />
      <DataTable
        columns={COLUMNS}
        empty={null}
        idOf={({ id }) => id}
        items={invitations.map((invitation) => ({ ...invitation, revoke }))}
        label="Pending invitations"
      />
    </>
  );
}

interface Revocation {
  isPending: boolean;
  mutate: (input: { id: string }) => void;
}

const COLUMNS: readonly Column<Invitation & { revoke: Revocation }>[] = [
  { id: "email", name: "Email", narrow: "beside", cell: ({ email }) => <RowName name={email} /> },
  {
    id: "expires",
    name: "Expires",
    narrow: "below",
    cell: ({ expires }) => expires,
  },
  {
    id: "role",
    name: "Role",
    narrow: "beside",
    cell: ({ role }) => <span className="capitalize">{role}</span>,
  },
  {
    id: "actions",
    name: "Actions",
    narrow: "beside",
    align: "end",
    cell: ({ id, revoke }) => (
      <Button
        isPending={revoke.isPending}
        onPress={() => revoke.mutate({ id })}
        size="sm"
        variant="secondary"
      >
        Revoke
      </Button>
    ),
  },
];
