"use client";

import { DialogButton } from "../../client/dialog-button.tsx";
import { fetched } from "../../client/fetched.tsx";
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
      <DialogButton
        about={{ currency, threshold }}
        dialog={ThresholdDialog}
        disabledReason={disabledReason}
        size="sm"
        variant="secondary"
      >
        Edit warning
      </DialogButton>
    </div>
  );
}
