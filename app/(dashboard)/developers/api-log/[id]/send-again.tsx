"use client";

import { useState } from "react";
import { fetched } from "../../../../client/fetched.tsx";
import { GuardedButton } from "../../../../ui/guarded-button.tsx";
import type { Resendable } from "./to-resendable.ts";
import type { KeptBody } from "#lib/api/wire/staff-resources.ts";

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
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton disabledReason={resendable.disabledReason} onPress={() => setOpen(true)}>
        Send again
      </GuardedButton>
      {isOpen && (
        <SendAgainDialog first={first} onClose={() => setOpen(false)} resendable={resendable} />
      )}
    </>
  );
}
