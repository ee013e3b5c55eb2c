"use client";

import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";

const RotateKeyDialog = fetched(() =>
  import("./rotate-key-dialog.tsx").then((loaded) => loaded.RotateKeyDialog),
);

/** Opens the dialog that replaces a key. */
export function RotateKey(about: {
  id: string;
  name: string;
  baseUrl: string;
  isNextUnderRule: boolean;
}) {
  return (
    <DialogButton about={about} dialog={RotateKeyDialog} size="sm" variant="outline">
      Rotate
    </DialogButton>
  );
}
