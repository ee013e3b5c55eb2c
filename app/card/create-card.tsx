"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { fetched } from "../client/fetched.tsx";
import { GuardedButton } from "../ui/guarded-button.tsx";
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
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton disabledReason={disabledReason} onPress={() => setOpen(true)}>
        <Plus aria-hidden />
        Create card
      </GuardedButton>
      {isOpen && (
        <CreateCardDialog currency={currency} holder={holder} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
