import { declareList } from "../../list/list.ts";
import { CARD_COLUMNS } from "./cards-columns.tsx";

/** The cards of an account, newest first. Freezes end on days of the account's time zone. */
export const CARDS = declareList({
  path: "/cards",
  views: "cards",
  noun: "cards",
  hint: "Search covers the last four digits, the name on the card, the cardholder's email, and the ID.",
  columns: CARD_COLUMNS,
  fields: {
    search: { kind: "search", label: "Search cards", placeholder: "Last four, name, email, or ID" },
    status: {
      kind: "segment",
      label: "Status",
      all: "All",
      options: [
        { id: "active", name: "Active" },
        { id: "frozen", name: "Frozen" },
        { id: "ends-today", name: "Ends today" },
        { id: "closed", name: "Closed" },
        { id: "cover-outstanding", name: "Owes cover" },
      ],
    },
    order: {
      kind: "order",
      label: "Newest first",
      options: [{ id: "oldest", name: "Oldest first" }],
    },
    user_id: { kind: "record", label: "Cardholder" },
  },
});
