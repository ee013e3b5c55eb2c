import { withTable } from "./guide-table.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";

const GUIDE = "docs/go-live.md";

/** The columns that hold amounts. `app/docs/guides.test.ts` fails if an amount column of an example is missing here. */
const AMOUNTS: ReadonlySet<string> = new Set([
  "amount",
  "available",
  "balance",
  "balance_after",
  "card_balance_after",
  "card_balance_before",
  "cover_outstanding",
  "covered_deficit",
  "covered_float",
  "held",
  "hold_amount",
  "hold_captured",
  "hold_released",
  "merchant_amount",
  "net",
  "refunded",
  "requested_amount",
  "taken_back",
]);

/** The text of the guide, with the columns of each CSV file, which are the first line of its example. */
export function listExportColumns(): Record<string, string> {
  const byColumns = Map.groupBy(
    OPERATIONS.filter((operation) => operation.path.startsWith("/exports/")),
    ({ examples: [{ answer }] }) => String(answer).split("\r\n", 1)[0] ?? "",
  );
  const rows = [...byColumns].map(([columns, operations]) => [
    operations.map(({ path }) => `\`GET ${path}\``).join(", "),
    columns.split(",").map(toCode).join(", "),
  ]);
  return { [GUIDE]: withTable(GUIDE, [["file", "columns"], ...rows]) };
}

function toCode(column: string): string {
  return AMOUNTS.has(column) ? `**\`${column}\`**` : `\`${column}\``;
}
