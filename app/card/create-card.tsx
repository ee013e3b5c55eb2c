"use client";

import { Plus } from "lucide-react";
import { DialogButton } from "../client/dialog-button.tsx";
import { fetched } from "../client/fetched.tsx";
import type { Holder } from "./holder.ts";

const CreateCardDialog = fetched(() =>
  import("./create-card-dialog.tsx").then((loaded) => loaded.CreateCardDialog),
);

/** The page's main button. */
export function CreateCard({
  currency,
  disabledReason,
  holder = null,
}: {
  currency: string;
  disabledReason: string | null;
  /** The cardholder, if known; otherwise the dialog asks. */
  holder?: Holder | null;
}) {
  return (
    <DialogButton
      about={{ currency, holder }}
      dialog={CreateCardDialog}
      disabledReason={disabledReason}
    >
      <Plus aria-hidden />
      Create card
    </DialogButton>
  );
}
