"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { fetched } from "../../client/fetched.tsx";
import { GuardedButton } from "../../ui/guarded-button.tsx";

const CreateCardholderDialog = fetched(() =>
  import("./create-cardholder-dialog.tsx").then((loaded) => loaded.CreateCardholderDialog),
);

/** The page's main button. */
export function CreateCardholder({ disabledReason }: { disabledReason: string | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton disabledReason={disabledReason} onPress={() => setOpen(true)}>
        <Plus aria-hidden />
        Create cardholder
      </GuardedButton>
      {isOpen && <CreateCardholderDialog onClose={() => setOpen(false)} />}
    </>
  );
}
