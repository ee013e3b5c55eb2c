"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { GuardedButton } from "../../ui/guarded-button.tsx";

const CreateCardDialog = dynamic(() =>
  import("./create-card-dialog.tsx").then(({ CreateCardDialog: dialog }) => dialog),
);

/** The page's one button. */
export function CreateCard({ currency, obstacle }: { currency: string; obstacle: string | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton obstacle={obstacle} onPress={() => setOpen(true)}>
        <Plus aria-hidden />
        Create card
      </GuardedButton>
      {isOpen && <CreateCardDialog currency={currency} onClose={() => setOpen(false)} />}
    </>
  );
}
