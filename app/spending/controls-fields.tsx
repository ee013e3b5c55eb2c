"use client";

import { Plus } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { CodePicker } from "./code-picker.tsx";
import { withLimit } from "./controls-draft.ts";
import type { ControlsDraft, LimitDraft, ListDraft } from "./controls-draft.ts";
import { LimitFields } from "./limit-fields.tsx";
import { useCategories } from "../client/use-categories.ts";
import type { Option } from "../client/use-categories.ts";
import { listCountries } from "#lib/base/countries.ts";
import { SPENDING_LIMITS_MAX } from "#lib/cards/spending-controls.ts";

const COUNTRIES = listCountries();

/** Edits what cards may buy: limits, categories, and countries. */
export function ControlsFields({
  draft,
  currency,
  onChange,
}: {
  draft: ControlsDraft;
  currency: string;
  onChange: (draft: ControlsDraft) => void;
}) {
  const { options: categories, isError } = useCategories();
  const nothingFound = isError ? "Couldn't load categories." : "No category found.";
  const { limits } = draft;
  const setLimits = (next: readonly LimitDraft[]) => onChange({ ...draft, limits: next });
  return (
    <>
      <div className="flex flex-col gap-3">
        {limits.map((limit, index) => (
          <LimitFields
            categories={categories}
            currency={currency}
            key={limit.key}
            limit={limit}
            nothingFound={nothingFound}
            number={index + 1}
            onChange={(changed) =>
              setLimits(limits.map((each) => (each.key === changed.key ? changed : each)))
            }
            onRemove={() => setLimits(limits.filter(({ key }) => key !== limit.key))}
          />
        ))}
        <Button
          isDisabled={limits.length >= SPENDING_LIMITS_MAX}
          onPress={() => setLimits(withLimit(limits))}
          size="sm"
          variant="secondary"
        >
          <Plus aria-hidden />
          Add limit
        </Button>
      </div>
      <ListFields
        list={draft.categories}
        name="Categories"
        nothingFound={nothingFound}
        onChange={(list) => onChange({ ...draft, categories: list })}
        options={categories}
      />
      <ListFields
        list={draft.countries}
        name="Countries"
        nothingFound="No country found."
        onChange={(list) => onChange({ ...draft, countries: list })}
        options={COUNTRIES}
      />
    </>
  );
}

/** Edits which categories, or countries, a card may buy from. */
function ListFields({
  name,
  list,
  onChange,
  ...picker
}: {
  name: "Categories" | "Countries";
  list: ListDraft;
  options: readonly Option[];
  nothingFound: string;
  onChange: (list: ListDraft) => void;
}) {
  const noun = name.toLowerCase();
  return (
    <div className="flex flex-col gap-3">
      <Choice
        label={name}
        onChange={(rule) => onChange({ ...list, rule })}
        options={[
          { id: "none", name: `All ${noun}` },
          { id: "allowed", name: `Only chosen ${noun}` },
          { id: "blocked", name: `All except chosen ${noun}` },
        ]}
        value={list.rule}
      />
      {list.rule !== "none" && (
        <CodePicker
          {...picker}
          codes={list.codes}
          label={list.rule === "allowed" ? `Allowed ${noun}` : `Blocked ${noun}`}
          onChange={(codes) => onChange({ ...list, codes })}
          placeholder="Search by name or code"
        />
      )}
    </div>
  );
}
