"use client";

import { Gauge, Snowflake, Sun, X } from "lucide-react";
import { ExportCsv } from "../../../client/export-csv.tsx";
import { Button } from "../../../ui/button.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import type { BulkAct } from "./bulk-card.ts";
import type { Selection } from "./use-selection.ts";

/** The actions on all selected cards. */
export function BulkBar({
  selection: { words, exportHref, selectAll, clear },
  disabledReasons,
  onAct,
}: {
  selection: Selection;
  /** Why this person may not freeze and unfreeze, or limit cards; null if they may. */
  disabledReasons: Readonly<Record<"freeze" | "limit", string | null>>;
  onAct: (act: BulkAct) => void;
}) {
  return (
    <div className="flex flex-1 flex-wrap items-center gap-2">
      <span className="font-medium" role="status">
        {words}
      </span>
      {selectAll && (
        <Button onPress={selectAll.onPress} size="sm" variant="ghost">
          {selectAll.words}
        </Button>
      )}
      <span className="mr-auto" />
      <GuardedButton
        disabledReason={disabledReasons.freeze}
        onPress={() => onAct("freeze")}
        size="sm"
      >
        <Snowflake aria-hidden />
        Freeze
      </GuardedButton>
      <GuardedButton
        disabledReason={disabledReasons.freeze}
        onPress={() => onAct("unfreeze")}
        size="sm"
        variant="secondary"
      >
        <Sun aria-hidden />
        Unfreeze
      </GuardedButton>
      <GuardedButton
        disabledReason={disabledReasons.limit}
        onPress={() => onAct("limit")}
        size="sm"
        variant="secondary"
      >
        <Gauge aria-hidden />
        Spending controls
      </GuardedButton>
      <ExportCsv href={exportHref} />
      <Button aria-label="Clear selection" isIconOnly onPress={clear} size="sm" variant="ghost">
        <X aria-hidden />
      </Button>
    </div>
  );
}
