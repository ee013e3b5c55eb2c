"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { GuardedButton } from "../../../ui/guarded-button.tsx";

const RevealDialog = dynamic(() =>
  import("./secret-dialogs.tsx").then(({ RevealDialog: dialog }) => dialog),
);
const RotateDialog = dynamic(() =>
  import("./secret-dialogs.tsx").then(({ RotateDialog: dialog }) => dialog),
);

/** Shows and rotates the signing secret. */
export function SecretActions({
  endpointId,
  disabledReason,
}: {
  endpointId: string;
  /** Why this person may not; null if they may. */
  disabledReason: string | null;
}) {
  const [act, setAct] = useState<"reveal" | "rotate" | null>(null);
  const close = () => setAct(null);
  return (
    <div className="flex flex-wrap gap-2">
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => setAct("reveal")}
        size="sm"
        variant="secondary"
      >
        Reveal
      </GuardedButton>
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => setAct("rotate")}
        size="sm"
        variant="secondary"
      >
        Rotate
      </GuardedButton>
      {act === "reveal" && <RevealDialog endpointId={endpointId} onClose={close} />}
      {act === "rotate" && <RotateDialog endpointId={endpointId} onClose={close} />}
    </div>
  );
}
