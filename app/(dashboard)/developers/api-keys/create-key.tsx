"use client";

import { Plus } from "lucide-react";
import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";

const CreateKeyDialog = fetched(() =>
  import("./create-key-dialog.tsx").then((loaded) => loaded.CreateKeyDialog),
);

/** The page's main button. */
export function CreateKey({
  baseUrl,
  disabledReason,
}: {
  baseUrl: string;
  disabledReason: string | null;
}) {
  return (
    <DialogButton about={{ baseUrl }} dialog={CreateKeyDialog} disabledReason={disabledReason}>
      <Plus aria-hidden />
      Create key
    </DialogButton>
  );
}
