"use client";

import { ListFilter } from "lucide-react";
import type { ComponentProps } from "react";
import type { FilterDialog as Dialog } from "./filter-dialog.tsx";
import { DialogButton } from "../client/dialog-button.tsx";
import { fetched } from "../client/fetched.tsx";

const FilterDialog = fetched(() =>
  import("./filter-dialog.tsx").then((loaded) => loaded.FilterDialog),
);

/** Opens the dialog with all filters of a list. */
export function FilterButton(props: Omit<ComponentProps<typeof Dialog>, "onClose">) {
  return (
    <DialogButton about={props} dialog={FilterDialog} size="sm" variant="outline">
      <ListFilter aria-hidden />
      Filters
    </DialogButton>
  );
}
