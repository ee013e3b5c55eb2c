import { declareList } from "../../list/list.ts";
import type { Column } from "../../ui/data-table.tsx";
import { Time } from "../../ui/time.tsx";
import { CardholderLabel } from "./cardholder-label.tsx";
import type { Count } from "#lib/base/paging.ts";
import type { CardholderRow } from "#lib/cards/cardholder-reads.ts";

/** The columns that the list can show. */
export const CARDHOLDER_COLUMNS: readonly Column<CardholderRow>[] = [
  {
    id: "name",
    name: "Name",
    narrow: "below",
    cell: (cardholder) => (
      <span className="flex min-w-0 items-center gap-2">
        <bdi className="min-w-0 truncate font-medium">
          {`${cardholder.firstName} ${cardholder.lastName}`}
        </bdi>
        <CardholderLabel cardholder={cardholder} />
      </span>
    ),
  },
  {
    id: "email",
    name: "Email",
    narrow: "below",
    isCut: true,
    cell: ({ erasedAt, email }) => <bdi className="text-muted">{erasedAt ? "" : email}</bdi>,
  },
  {
    id: "cards",
    name: "Cards",
    align: "end",
    narrow: "beside",
    cell: ({ cards }) => <span className="tabular-nums">{toWords(cards)}</span>,
  },
  {
    id: "created",
    name: "Created",
    align: "end",
    narrow: "hidden",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: "phone",
    name: "Phone",
    narrow: "below",
    isExtra: true,
    cell: ({ erasedAt, phoneNumber }) => (
      <bdi className="text-muted">{erasedAt ? "" : phoneNumber}</bdi>
    ),
  },
];

/** The cardholders of an account, newest first; archived ones only if asked for. */
export const CARDHOLDERS = declareList({
  path: "/cardholders",
  allHref: "/cardholders?show=all",
  views: "cardholders",
  noun: "cardholders",
  hint: "Search covers names and emails.",
  columns: CARDHOLDER_COLUMNS,
  fields: {
    search: { kind: "search", label: "Search cardholders", placeholder: "Name or email" },
    show: {
      kind: "segment",
      label: "Show",
      all: "Active",
      options: [
        { id: "archived", name: "Archived" },
        { id: "all", name: "All" },
      ],
    },
  },
});

function toWords({ rows, isExact }: Count): string {
  return `${rows.toLocaleString("en-US")}${isExact ? "" : "+"}`;
}
