"use client";

import { Download } from "lucide-react";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { Balances } from "../../../ui/balances.tsx";
import { Button } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { RowName } from "../../../ui/row-name.tsx";
import { Reason } from "../bulk/reason.tsx";
import { useBulkJob } from "../bulk/use-bulk-job.ts";
import type { BadRow } from "./credit-file.ts";
import { toItems } from "./use-check.ts";
import type { Checked } from "./use-check.ts";
import { formatMoney } from "#lib/base/money.ts";

/** What crediting the rows will do, and which are left out. */
export function CheckedRows({
  checked: { rows, bad },
  available,
  currency,
  disabledReason,
}: {
  checked: Checked;
  available: number;
  currency: string;
  disabledReason: string | null;
}) {
  const job = useBulkJob();
  const total = rows.reduce((sum, { amount }) => sum + amount, 0);
  const repeated = rows.length - new Set(rows.map(({ cardId }) => cardId)).size;
  const credit = () => job.mutate({ body: { operation: "credit", items: toItems(rows) } });
  const nothing = rows.length === 0 ? "None of these rows can be credited." : null;
  return (
    <>
      <Panel title={`Ready: ${toRows(rows.length)}`}>
        <div className="flex flex-col gap-4">
          <Balances
            changes={[{ name: "Float", before: available, after: available - total }]}
            currency={currency}
          />
          {repeated > 0 && (
            <p className="text-pending">
              {`${toRows(repeated)} name a card that another row names, too. Each is credited.`}
            </p>
          )}
          {bad.length > 0 && (
            <p className="text-muted">{`${toRows(bad.length)} left out, listed below.`}</p>
          )}
          <ProblemAlert error={job.error} />
          <div>
            <GuardedButton
              disabledReason={disabledReason ?? nothing}
              isPending={job.isPending}
              onPress={credit}
            >
              {`Credit ${toRows(rows.length)} with ${formatMoney(total, currency)}`}
            </GuardedButton>
          </div>
        </div>
      </Panel>
      {bad.length > 0 && <BadRows bad={bad} />}
    </>
  );
}

const COLUMNS: readonly Column<BadRow>[] = [
  {
    id: "row",
    name: "Row",
    narrow: "below",
    cell: ({ row, cardId }) => <RowName about={cardId} name={`Row ${row}`} />,
  },
  {
    id: "why",
    name: "Reason",
    narrow: "below",
    isCut: true,
    cell: ({ why }) => <Reason isBad>{why}</Reason>,
  },
  {
    id: "amount",
    name: "Amount",
    align: "end",
    narrow: "beside",
    cell: ({ written }) => <bdi className="tabular-nums">{written}</bdi>,
  },
];

/** How many rows the page shows; the file has all of them. */
const SHOWN_MAX = 200;

function BadRows({ bad }: { bad: readonly BadRow[] }) {
  return (
    <Panel
      action={
        <Button onPress={() => void download(bad)} size="sm" variant="secondary">
          <Download aria-hidden />
          Download these rows
        </Button>
      }
      flush
      title={`Left out: ${toRows(bad.length)}`}
    >
      <DataTable
        columns={COLUMNS}
        empty={null}
        label="Left out"
        idOf={({ row }) => String(row)}
        items={bad.slice(0, SHOWN_MAX)}
      />
      {bad.length > SHOWN_MAX && (
        <p className="text-muted px-4 py-3 text-xs">{`The file has all ${toRows(bad.length)}.`}</p>
      )}
    </Panel>
  );
}

async function download(bad: readonly BadRow[]): Promise<void> {
  const { toBadFile } = await import("./credit-file.ts");
  const url = URL.createObjectURL(new Blob([toBadFile(bad)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "rows-left-out.csv";
  link.click();
  URL.revokeObjectURL(url);
}

function toRows(count: number): string {
  return count === 1 ? "1 row" : `${count.toLocaleString("en-US")} rows`;
}
