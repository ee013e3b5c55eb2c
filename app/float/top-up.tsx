"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import type { ComponentProps } from "react";
import { fetched } from "../client/fetched.tsx";
import { GuardedButton } from "../ui/guarded-button.tsx";

const TopUpDialog = fetched(() =>
  import("./top-up-dialog.tsx").then((loaded) => loaded.TopUpDialog),
);

/** Simulates a top-up of the float; in the sandbox only. */
export function TopUp({
  available,
  currency,
  disabledReason,
  look,
}: {
  available: number;
  currency: string;
  disabledReason: string | null;
  /** If it is not the page's main action. */
  look?: Pick<ComponentProps<typeof GuardedButton>, "size" | "variant">;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton {...look} disabledReason={disabledReason} onPress={() => setOpen(true)}>
        <Plus aria-hidden />
        Top up
      </GuardedButton>
      {isOpen && (
        <TopUpDialog available={available} currency={currency} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
