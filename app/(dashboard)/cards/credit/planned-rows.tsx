import { CardName } from "../../../ui/card-name.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import type { Column } from "../../../ui/data-table.tsx";
import { Money } from "../../../ui/money.tsx";
import type { CreditPreview, PlannedCredit } from "#lib/bulk/credit-preview.ts";

/** The amounts for each person, before anything moves. Unusual amounts and people who are named twice come first. */
export function PlannedRows({
  preview: { planned },
  count,
  currency,
}: {
  preview: CreditPreview;
  count: number;
  currency: string;
}) {
  return (
    <div className="border-border rounded-lg border">
      <DataTable
        columns={toColumns(currency)}
        empty={null}
        idOf={({ position }) => String(position)}
        items={planned}
        label="Who gets what"
      />
      {count > planned.length && (
        <p className="text-muted px-4 py-3 text-xs">{`The first ${planned.length} of ${count.toLocaleString("en-US")} rows.`}</p>
      )}
    </div>
  );
}

function toColumns(currency: string): readonly Column<PlannedCredit>[] {
  return [
    {
      id: "card",
      name: "Card",
      narrow: "below",
      isCut: true,
      cell: ({ cardName, last4 }) => <CardName card={{ cardName, last4 }} />,
    },
    { id: "look", name: "Look at", narrow: "below", cell: (row) => <Marks row={row} /> },
    {
      id: "amount",
      name: "Amount",
      align: "end",
      narrow: "beside",
      cell: ({ amount }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: "after",
      name: "Balance after",
      align: "end",
      narrow: "below",
      cell: ({ balanceAfter }) => <Money amount={balanceAfter} currency={currency} />,
    },
  ];
}

function Marks({ row: { isOutlier, isRepeated } }: { row: PlannedCredit }) {
  const marks = [
    isOutlier && "More than 10 × the middle amount",
    isRepeated && "Named more than once",
  ];
  return <span className="text-pending">{marks.filter(Boolean).join(" · ")}</span>;
}
