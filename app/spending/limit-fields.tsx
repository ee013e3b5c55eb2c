"use client";

import { X } from "lucide-react";
import { AmountInput } from "../ui/amount-input.tsx";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { useAmount } from "../ui/use-amount.ts";
import { CodePicker } from "./code-picker.tsx";
import type { LimitDraft } from "./controls-draft.ts";
import type { Option } from "../client/use-categories.ts";
import { LIMIT_INTERVALS, toIntervalTitle } from "#lib/cards/spending-controls.ts";

const INTERVALS = LIMIT_INTERVALS.map((id) => ({ id, name: toIntervalTitle(id) }));

/** Edits one limit. */
export function LimitFields({
  limit,
  number,
  currency,
  categories,
  nothingFound,
  onChange,
  onRemove,
}: {
  limit: LimitDraft;
  number: number;
  currency: string;
  categories: readonly Option[];
  nothingFound: string;
  onChange: (limit: LimitDraft) => void;
  onRemove: () => void;
}) {
  const amount = useAmount(currency, { initial: limit.amount });
  const change = (text: string) => {
    amount.onChange(text);
    onChange({ ...limit, amount: text });
  };
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border p-3">
      <legend className="sr-only">{`Limit ${number}`}</legend>
      <div className="flex items-start gap-2">
        <div className="grid min-w-0 flex-1 grid-cols-2 gap-3">
          <AmountInput field={{ ...amount, onChange: change }} label="Amount" />
          <Choice
            label="Interval"
            onChange={(interval) => onChange({ ...limit, interval })}
            options={INTERVALS}
            value={limit.interval}
          />
        </div>
        <Button
          aria-label={`Remove limit ${number}`}
          className="-me-1"
          isIconOnly
          onPress={onRemove}
          size="sm"
          variant="ghost"
        >
          <X aria-hidden />
        </Button>
      </div>
      <CodePicker
        codes={limit.categories}
        label="Only for categories"
        nothingFound={nothingFound}
        onChange={(codes) => onChange({ ...limit, categories: codes })}
        options={categories}
        placeholder="All; search by name or code"
      />
    </fieldset>
  );
}
