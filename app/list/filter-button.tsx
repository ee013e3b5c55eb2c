"use client";

import { ListFilter } from "lucide-react";
import { useState } from "react";
import type { ComponentProps } from "react";
import type { FilterDialog as Dialog } from "./filter-dialog.tsx";
import { fetched } from "../client/fetched.tsx";
import { Button } from "../ui/button.tsx";

const FilterDialog = fetched(() =>
  import("./filter-dialog.tsx").then((loaded) => loaded.FilterDialog),
);

/** Opens the dialog with all filters of a list. */
export function FilterButton(props: Omit<ComponentProps<typeof Dialog>, "onClose">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} size="sm" variant="outline">
        <ListFilter aria-hidden />
        Filters
      </Button>
      {isOpen && <FilterDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
