"use client";

import { Snowflake, Sun, X } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { ExportCsv } from "../../../client/export-csv.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import type { BulkAct, BulkCard } from "./bulk-card.ts";

/** The actions on all selected cards. */
export function BulkBar({
  cards,
  disabledReason,
  onAct,
  onClear,
}: {
  cards: readonly BulkCard[];
  disabledReason: string | null;
  onAct: (act: BulkAct) => void;
  onClear: () => void;
}) {
  return (
    <div className="flex flex-1 flex-wrap items-center gap-2">
      <span className="mr-auto font-medium" role="status">{`${cards.length} selected`}</span>
      <GuardedButton disabledReason={disabledReason} onPress={() => onAct("freeze")} size="sm">
        <Snowflake aria-hidden />
        Freeze
      </GuardedButton>
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => onAct("unfreeze")}
        size="sm"
        variant="secondary"
      >
        <Sun aria-hidden />
        Unfreeze
      </GuardedButton>
      <ExportCsv href={`/api/exports/cards?ids=${cards.map(({ id }) => id).join(",")}`} />
      <Button aria-label="Clear selection" isIconOnly onPress={onClear} size="sm" variant="ghost">
        <X aria-hidden />
      </Button>
    </div>
  );
}
