"use client";

import { Plus } from "lucide-react";
import type { ComponentProps } from "react";
import { DialogButton } from "../client/dialog-button.tsx";
import { fetched } from "../client/fetched.tsx";
import type { GuardedButton } from "../ui/guarded-button.tsx";

const TopUpDialog = fetched(() =>
  import("./top-up-dialog.tsx").then((loaded) => loaded.TopUpDialog),
);

/** Simulates a top-up of the float; in the sandbox only. */
export function TopUp({
  available,
  currency,
  disabledReason,
  proposed,
  look,
}: {
  available: number;
  /** The initial amount, in minor units, if there is one. */
  proposed?: number | undefined;
  currency: string;
  disabledReason: string | null;
  /** If it is not the page's main action. */
  look?: Pick<ComponentProps<typeof GuardedButton>, "size" | "variant">;
}) {
  return (
    <DialogButton
      {...look}
      about={{ available, currency, proposed }}
      dialog={TopUpDialog}
      disabledReason={disabledReason}
    >
      <Plus aria-hidden />
      Top up
    </DialogButton>
  );
}
