"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../client/dialog-form.tsx";
import { DayInput } from "../ui/filter-inputs.tsx";
import { toHref } from "../ui/pager.tsx";
import { TimeZoneNote } from "../ui/time-zone.tsx";
import { isAllowed } from "./period-search.ts";
import type { Days } from "#lib/base/calendar-period.ts";
import { PERIOD_DAYS_MAX } from "#lib/statements/period.ts";

/** The first and the last day of a period. */
export function DatesDialog({
  path,
  days,
  onClose,
}: {
  path: string;
  days: Days;
  onClose: () => void;
}) {
  const router = useRouter();
  const [first, setFirst] = useState<string | undefined>(days.first);
  const [last, setLast] = useState<string | undefined>(days.last);
  const show = () => {
    onClose();
    router.push(toHref(path, { from: first, to: last }));
  };
  return (
    <Dialog onClose={onClose} size="sm" title="Choose dates">
      <DialogForm
        action="Show period"
        disabledReason={toDisabledReason(first, last)}
        error={null}
        isPending={false}
        onCancel={onClose}
        onSubmit={show}
      >
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <DayInput label="First day" onChange={setFirst} value={first} />
          <DayInput label="Last day" onChange={setLast} value={last} />
        </div>
        <TimeZoneNote of="Days" />
      </DialogForm>
    </Dialog>
  );
}

function toDisabledReason(first: string | undefined, last: string | undefined): string | null {
  if (first === undefined || last === undefined) {
    return "Enter the first and the last day.";
  }
  if (isAllowed(first, last)) {
    return null;
  }
  return last < first
    ? "The last day must not be before the first."
    : `A period can have at most ${PERIOD_DAYS_MAX} days.`;
}
