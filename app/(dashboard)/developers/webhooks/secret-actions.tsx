"use client";

import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";

const RevealDialog = fetched(() =>
  import("./secret-dialogs.tsx").then((loaded) => loaded.RevealDialog),
);
const RotateDialog = fetched(() =>
  import("./secret-dialogs.tsx").then((loaded) => loaded.RotateDialog),
);

/** Shows and rotates the signing secret. */
export function SecretActions({
  disabledReason,
  ...about
}: {
  endpointId: string;
  /** Why this person may not; null if they may. */
  disabledReason: string | null;
}) {
  const button = { about, disabledReason, size: "sm", variant: "secondary" } as const;
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton {...button} dialog={RevealDialog}>
        Reveal
      </DialogButton>
      <DialogButton {...button} dialog={RotateDialog}>
        Rotate
      </DialogButton>
    </div>
  );
}
