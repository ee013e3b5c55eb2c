"use client";

import { UserPlus } from "lucide-react";
import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";
import type { Role } from "#lib/access/roles.ts";

const InviteDialog = fetched(() =>
  import("./invite-dialog.tsx").then((loaded) => loaded.InviteDialog),
);

/** The page's main button. */
export function InviteStaff({
  role,
  isMailed,
  disabledReason,
}: {
  /** The role of the person who invites. It limits the roles to offer. */
  role: Role;
  isMailed: boolean;
  disabledReason: string | null;
}) {
  return (
    <DialogButton about={{ role, isMailed }} dialog={InviteDialog} disabledReason={disabledReason}>
      <UserPlus aria-hidden />
      Invite
    </DialogButton>
  );
}
