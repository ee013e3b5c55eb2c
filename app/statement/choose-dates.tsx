"use client";

import { CalendarDays } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { fetched } from "../client/fetched.tsx";
import type { Days } from "#lib/base/calendar-period.ts";

const DatesDialog = fetched(() =>
  import("./dates-dialog.tsx").then((loaded) => loaded.DatesDialog),
);

/** Opens the dialog for a period of any days. */
export function ChooseDates({ path, days }: { path: string; days: Days }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} size="sm" variant="outline">
        <CalendarDays aria-hidden />
        Choose dates
      </Button>
      {isOpen && <DatesDialog days={days} onClose={() => setOpen(false)} path={path} />}
    </>
  );
}
