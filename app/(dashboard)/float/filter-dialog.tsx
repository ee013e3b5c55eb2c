"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { TimeZoneNote } from "../../ui/time-zone.tsx";
import { CardPicker } from "../../client/card-picker.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../client/dialog-form.tsx";
import { AnyChoice, DayInput } from "../../ui/filter-inputs.tsx";
import { toHref } from "../../ui/pager.tsx";
import { toFilter } from "./filter.ts";
import type { Filter, FilterName } from "./filter.ts";
import { FLOAT_KIND_NAMES, FLOAT_KINDS } from "#lib/funds/float-kinds.ts";

const KINDS = FLOAT_KINDS.map((id) => ({ id, name: FLOAT_KIND_NAMES[id] }));

/** All filters of the statement. */
export function FilterDialog({ filter, onClose }: { filter: Filter; onClose: () => void }) {
  const router = useRouter();
  const [values, setValues] = useState<Partial<Record<FilterName, string | undefined>>>(() => ({
    ...filter,
  }));
  const set = (name: FilterName) => (value: string | undefined) =>
    setValues((old) => ({ ...old, [name]: value }));
  const show = () => {
    onClose();
    router.push(toHref("/float", { ...toFilter(values) }));
  };
  return (
    <Dialog isOpen onClose={onClose} title="Filter statement">
      <DialogForm
        action="Show activity"
        error={null}
        isPending={false}
        onCancel={onClose}
        onSubmit={show}
      >
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <AnyChoice label="Type" onChange={set("kind")} options={KINDS} value={values.kind} />
          <CardPicker onChange={set("card_id")} value={values.card_id} />
          <DayInput label="From" onChange={set("from")} value={values.from} />
          <DayInput label="To" onChange={set("to")} value={values.to} />
        </div>
        <TimeZoneNote of="Days" />
      </DialogForm>
    </Dialog>
  );
}
