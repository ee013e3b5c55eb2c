import { DAYS, declareList } from "../../../list/list.ts";
import { AUDIT_TITLES } from "#lib/audit/audit-titles.ts";
import { REFUSED } from "#lib/record/audit-actions.ts";

const ACTIONS = [{ id: REFUSED, name: "Refused attempts" }, ...AUDIT_TITLES];

/** The changes to an account and the refused attempts, newest first. */
export const CHANGES = declareList({
  path: "/settings/audit-log",
  views: "audit_log",
  noun: "changes",
  exportPath: "/api/exports/audit-log",
  hint: "Search covers people, API keys, actions, cards, cardholders, last four digits, and IDs.",
  fields: {
    search: { kind: "search", label: "Search changes", placeholder: "Name, action, or ID" },
    action: { kind: "choice", label: "Action", options: ACTIONS },
    actor_id: { kind: "person", label: "Changes by" },
    target_id: { kind: "record", label: "Record" },
    ...DAYS,
  },
});
