"use client";

import { CalendarDays } from "lucide-react";
import { DialogButton } from "../client/dialog-button.tsx";
import { fetched } from "../client/fetched.tsx";
import type { Days } from "#lib/base/calendar-period.ts";

const DatesDialog = fetched(() =>
  import("./dates-dialog.tsx").then((loaded) => loaded.DatesDialog),
);

/** Opens the dialog for a period of any days. */
export function ChooseDates(about: { path: string; days: Days }) {
  return (
    <DialogButton about={about} dialog={DatesDialog} size="sm" variant="outline">
      <CalendarDays aria-hidden />
      Choose dates
    </DialogButton>
  );
}
