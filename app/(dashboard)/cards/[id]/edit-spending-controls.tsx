"use client";

import { Pencil } from "lucide-react";
import type { ComponentProps } from "react";
import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";
import type { SpendingDialog as SpendingDialogType } from "./spending-dialog.tsx";

const SpendingDialog = fetched(() =>
  import("./spending-dialog.tsx").then((loaded) => loaded.SpendingDialog),
);

/** Opens the dialog that changes what a card may buy. */
export function EditSpendingControls({
  disabledReason,
  ...about
}: Omit<ComponentProps<typeof SpendingDialogType>, "onClose"> & { disabledReason: string | null }) {
  return (
    <DialogButton
      about={about}
      aria-label="Edit spending controls"
      dialog={SpendingDialog}
      disabledReason={disabledReason}
      size="sm"
      variant="ghost"
    >
      <Pencil aria-hidden />
      Edit
    </DialogButton>
  );
}
