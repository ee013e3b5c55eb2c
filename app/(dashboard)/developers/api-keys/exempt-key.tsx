"use client";

import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";

const ExemptKeyDialog = fetched(() =>
  import("./exempt-key-dialog.tsx").then((loaded) => loaded.ExemptKeyDialog),
);

/** Opens the dialog that asks for a key's exemption from approvals. */
export function ExemptKey(about: { id: string; name: string }) {
  return (
    <DialogButton about={about} dialog={ExemptKeyDialog} size="sm" variant="outline">
      Exempt
    </DialogButton>
  );
}
