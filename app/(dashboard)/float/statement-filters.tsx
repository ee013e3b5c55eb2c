"use client";

import { ListFilter } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { fetched } from "../../client/fetched.tsx";
import type { Filter } from "./filter.ts";

const FilterDialog = fetched(() =>
  import("./filter-dialog.tsx").then((loaded) => loaded.FilterDialog),
);

/** Opens the dialog with the filters, which are kept in the address. */
export function StatementFilters({ filter }: { filter: Filter }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} size="sm" variant="outline">
        <ListFilter aria-hidden />
        Filters
      </Button>
      {isOpen && <FilterDialog filter={filter} onClose={() => setOpen(false)} />}
    </>
  );
}
