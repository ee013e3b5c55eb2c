"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { Balances } from "../../../ui/balances.tsx";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { Link } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { TimeText } from "../../../ui/time-text.tsx";
import { RowName } from "../../../ui/row-name.tsx";
import { Reason } from "../bulk/reason.tsx";
import { useBulkJob } from "../bulk/use-bulk-job.ts";
import type { BadRow } from "./credit-file.ts";
import { PlannedRows } from "./planned-rows.tsx";
import { toItems } from "./use-check.ts";
import type { Checked } from "./use-check.ts";
import type { CreditPreview, EarlierCredit } from "#lib/bulk/credit-preview.ts";
import { formatMoney } from "#lib/base/money.ts";

/** What crediting the rows will do, and which are left out. */
export function CheckedRows({
  checked,
  preview,
  available,
  currency,
  disabledReason,
}: {
  checked: Checked;
  /** The amounts for each person; null until they have been read. */
  preview: CreditPreview | null;
  available: number;
  currency: string;
  disabledReason: string | null;
}) {
  const { rows, bad } = checked;
  const total = toTotal(checked);
  return (
    <>
      <Panel title={`Ready: ${toRows(rows.length)}`}>
        <div className="flex flex-col gap-4">
          <Balances
            changes={[{ name: "Float", before: available, after: available - total }]}
            currency={currency}
          />
          {preview && <PlannedRows count={rows.length} currency={currency} preview={preview} />}
          {bad.length > 0 && (
            <p className="text-muted">{`${toRows(bad.length)} left out, listed below.`}</p>
          )}
          <Confirmation
            checked={checked}
            currency={currency}
            disabledReason={disabledReason}
            preview={preview}
          />
        </div>
      </Panel>
      {bad.length > 0 && <BadRows checked={checked} />}
    </>
  );
}

/** The button that credits the rows. If they were credited recently, a box must be checked first. */
function Confirmation({
  checked,
  preview,
  currency,
  disabledReason,
}: Omit<Parameters<typeof CheckedRows>[0], "available">) {
  const { rows, jobId } = checked;
  const job = useBulkJob();
  const [isConfirmed, setConfirmed] = useState(false);
  const reason = disabledReason ?? toMissing(checked, isConfirmed || !isRepeated(preview));
  return (
    <>
      {preview?.earlier && <EarlierJob count={rows.length} earlier={preview.earlier} />}
      {isRepeated(preview) && (
        <Checkbox isSelected={isConfirmed} onChange={setConfirmed}>
          Credit these rows again
        </Checkbox>
      )}
      <ProblemAlert error={job.error} />
      <div>
        <GuardedButton
          disabledReason={reason}
          isPending={job.isPending || (jobId !== null && !preview)}
          onPress={() => job.mutate({ body: { operation: "credit", items: toItems(rows) } })}
        >
          {`Credit ${toRows(rows.length)} with ${formatMoney(toTotal(checked), currency)}`}
        </GuardedButton>
      </div>
    </>
  );
}

/** What must be done before the rows can be credited; null if nothing. */
function toMissing({ rows }: Checked, isConfirmed: boolean): string | null {
  if (rows.length === 0) {
    return "None of these rows can be credited.";
  }
  return isConfirmed ? null : "Check the box above to credit these rows again.";
}

/** Whether the rows were credited so recently that repeating it may be a mistake. */
function isRepeated(preview: CreditPreview | null): boolean {
  return preview?.earlier?.isRecent === true;
}

function toTotal({ rows }: Checked): number {
  return rows.reduce((sum, { amount }) => sum + amount, 0);
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

/** How many rows the page shows; the file contains all of them. */
const SHOWN_MAX = 200;

function BadRows({ checked }: { checked: Checked }) {
  const { bad } = checked;
  return (
    <Panel
      action={
        <Button onPress={() => void download(checked)} size="sm" variant="secondary">
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

async function download(checked: Checked): Promise<void> {
  const { toBadFile } = await import("./credit-file.ts");
  const url = URL.createObjectURL(new Blob(["\uFEFF", toBadFile(checked)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "rows-left-out.csv";
  link.click();
  URL.revokeObjectURL(url);
}

/** Links to the job that credited the same rows. */
function EarlierJob({ earlier, count }: { earlier: EarlierCredit; count: number }) {
  const words =
    earlier.rows >= count
      ? "The same cards were credited with the same amounts"
      : `${earlier.rows.toLocaleString("en-US")} of these ${toRows(count)} were credited with the same amounts`;
  return (
    <p className="text-muted">
      <span>{words}</span> <TimeText at={earlier.createdAt.toISOString()} />
      <span>{": "}</span>
      <Link className="underlined-link" href={`/cards/bulk/${earlier.jobId}`}>
        see that job
      </Link>
    </p>
  );
}

function toRows(count: number): string {
  return count === 1 ? "1 row" : `${count.toLocaleString("en-US")} rows`;
}
