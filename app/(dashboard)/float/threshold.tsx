"use client";

import { useState } from "react";
import { fetched } from "../../client/fetched.tsx";
import { GuardedButton } from "../../ui/guarded-button.tsx";
import { Money } from "../../ui/money.tsx";

const ThresholdDialog = fetched(() =>
  import("./threshold-dialog.tsx").then((loaded) => loaded.ThresholdDialog),
);

/** The balance below which the float counts as low. */
export function Threshold({
  threshold,
  currency,
  disabledReason,
}: {
  threshold: number | null;
  currency: string;
  disabledReason: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex items-center gap-3">
      <span className="text-muted">
        {threshold === null ? (
          "No low-balance warning"
        ) : (
          <>
            <span>Warn below</span> <Money amount={threshold} currency={currency} />
          </>
        )}
      </span>
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => setOpen(true)}
        size="sm"
        variant="secondary"
      >
        Edit warning
      </GuardedButton>
      {isOpen && (
        <ThresholdDialog currency={currency} onClose={() => setOpen(false)} threshold={threshold} />
      )}
    </div>
  );
}
