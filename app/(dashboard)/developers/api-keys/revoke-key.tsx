"use client";

import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";

const RevokeKeyDialog = fetched(() =>
  import("./revoke-key-dialog.tsx").then((loaded) => loaded.RevokeKeyDialog),
);

/** Opens the confirmation that revokes a key. */
export function RevokeKey(about: { id: string; name: string }) {
  return (
    <DialogButton about={about} dialog={RevokeKeyDialog} size="sm" variant="danger-soft">
      Revoke
    </DialogButton>
  );
}
