"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { fetched } from "../../client/fetched.tsx";
import { GuardedButton } from "../../ui/guarded-button.tsx";

const TopUpDialog = fetched(() =>
  import("./top-up-dialog.tsx").then((loaded) => loaded.TopUpDialog),
);

/** Simulates a top-up of the float; exists in sandbox only. */
export function TopUp({
  available,
  currency,
  obstacle,
}: {
  available: number;
  currency: string;
  obstacle: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton obstacle={obstacle} onPress={() => setOpen(true)}>
        <Plus aria-hidden />
        Top up
      </GuardedButton>
      {isOpen && (
        <TopUpDialog available={available} currency={currency} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
