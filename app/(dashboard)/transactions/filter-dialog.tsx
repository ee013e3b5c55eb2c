"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAmount } from "../../ui/use-amount.ts";
import type { AmountField } from "../../ui/use-amount.ts";
import { AmountInput } from "../../ui/amount-input.tsx";
import { TimeZoneNote } from "../../ui/time-zone.tsx";
import { CardPicker } from "../../client/card-picker.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../client/dialog-form.tsx";
import { AnyChoice, DayInput } from "../../ui/filter-inputs.tsx";
import { toHref } from "../../ui/pager.tsx";
import { toPostedAsName } from "./filter-words.ts";
import { toFilter } from "./filter.ts";
import type { Filter, FilterName } from "./filter.ts";
import { DECLINE_REASON_NAMES, DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import {
  POSTED_WITHOUT_APPROVAL,
  TRANSACTION_STATUS_NAMES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPE_NAMES,
  TRANSACTION_TYPES,
} from "#lib/transactions/transaction-kinds.ts";
import { toTypedAmount } from "#lib/base/typed-amount.ts";

const TYPES = TRANSACTION_TYPES.map((id) => ({ id, name: TRANSACTION_TYPE_NAMES[id] }));
const STATUSES = TRANSACTION_STATUSES.map((id) => ({ id, name: TRANSACTION_STATUS_NAMES[id] }));
const REASONS = DECLINE_REASONS.map((id) => ({ id, name: DECLINE_REASON_NAMES[id] }));
const POSTED = ["any" as const, ...POSTED_WITHOUT_APPROVAL].map((id) => ({
  id,
  name: toPostedAsName(id),
}));

/** All filters of the list of transactions. */
export function FilterDialog({
  filter,
  currency,
  onClose,
}: {
  filter: Filter;
  currency: string;
  onClose: () => void;
}) {
  const router = useRouter();
  const [values, setValues] = useState<Record<FilterName, string | undefined>>(() => ({
    ...EMPTY,
    ...filter,
  }));
  const set = (name: FilterName) => (value: string | undefined) =>
    setValues((old) => ({ ...old, [name]: value }));
  const least = useLimit(currency, filter.amount_min);
  const most = useLimit(currency, filter.amount_max);
  const show = () => {
    const areAmounts = [least.check(), most.check()].every(Boolean);
    if (!areAmounts) {
      return;
    }
    const amounts = { amount_min: least.amount?.toString(), amount_max: most.amount?.toString() };
    onClose();
    router.push(toHref("/transactions", { ...toFilter({ ...values, ...amounts }) }));
  };
  return (
    <Dialog isOpen onClose={onClose} title="Filter transactions">
      <DialogForm
        action="Show transactions"
        error={null}
        isPending={false}
        onCancel={onClose}
        onSubmit={show}
      >
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <AnyChoice label="Type" onChange={set("type")} options={TYPES} value={values.type} />
          <AnyChoice
            label="Status"
            onChange={set("status")}
            options={STATUSES}
            value={values.status}
          />
          <AnyChoice
            label="Decline reason"
            onChange={set("decline_reason")}
            options={REASONS}
            value={values.decline_reason}
          />
          <AnyChoice
            label="Posted without approval"
            onChange={set("posted_as")}
            options={POSTED}
            value={values.posted_as}
          />
          <CardPicker onChange={set("card_id")} value={values.card_id} />
          <DayInput label="From" onChange={set("from")} value={values.from} />
          <DayInput label="To" onChange={set("to")} value={values.to} />
          <AmountInput field={least} label="Minimum amount" />
          <AmountInput field={most} label="Maximum amount" />
        </div>
        <TimeZoneNote of="Days" />
      </DialogForm>
    </Dialog>
  );
}

const EMPTY: Record<FilterName, undefined> = {
  search: undefined,
  type: undefined,
  status: undefined,
  decline_reason: undefined,
  posted_as: undefined,
  card_id: undefined,
  from: undefined,
  to: undefined,
  amount_min: undefined,
  amount_max: undefined,
};

/** A limit of the amounts to list, which may be zero or absent. */
function useLimit(currency: string, saved: string | undefined): AmountField {
  const initial = saved === undefined ? "" : toTypedAmount(Number(saved), currency);
  return useAmount(currency, { initial, least: 0, isRequired: false });
}
