import { declareList } from "../../list/list.ts";

/** The cardholders of an account, newest first; archived ones only if asked for. */
export const CARDHOLDERS = declareList({
  path: "/cardholders",
  noun: "cardholders",
  hint: "Search covers names and emails.",
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
