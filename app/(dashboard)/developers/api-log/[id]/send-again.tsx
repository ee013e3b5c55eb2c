"use client";

import { DialogButton } from "../../../../client/dialog-button.tsx";
import { fetched } from "../../../../client/fetched.tsx";
import type { Resendable } from "./to-resendable.ts";
import type { KeptBody } from "#lib/record/request-resource.ts";

const SendAgainDialog = fetched(() =>
  import("./send-again-dialog.tsx").then((loaded) => loaded.SendAgainDialog),
);

/** Sends a request again; in the sandbox only. */
export function SendAgain({
  resendable,
  first,
}: {
  resendable: Resendable;
  /** The first response. */
  first: { status: number; body: KeptBody | null };
}) {
  return (
    <DialogButton
      about={{ first, resendable }}
      dialog={SendAgainDialog}
      disabledReason={resendable.disabledReason}
    >
      Send again
    </DialogButton>
  );
}
