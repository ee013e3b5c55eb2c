"use client";

import { Plus } from "lucide-react";
import { DialogButton } from "../../client/dialog-button.tsx";
import { fetched } from "../../client/fetched.tsx";

const CreateCardholderDialog = fetched(() =>
  import("./create-cardholder-dialog.tsx").then((loaded) => loaded.CreateCardholderDialog),
);

/** The page's main button. */
export function CreateCardholder({ disabledReason }: { disabledReason: string | null }) {
  return (
    <DialogButton about={{}} dialog={CreateCardholderDialog} disabledReason={disabledReason}>
      <Plus aria-hidden />
      Create cardholder
    </DialogButton>
  );
}
