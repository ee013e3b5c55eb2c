import { DAYS, declareList } from "../../../list/list.ts";
import { toRefusedTitle } from "../../../sentence/attempt.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { AUDIT_ACTIONS, REFUSED } from "#lib/record/audit-actions.ts";

const ACTIONS = [
  { id: REFUSED, name: "Refused attempts" },
  ...Object.entries(AUDIT_ACTIONS).map(([id, name]) => ({ id, name })),
  ...OPERATIONS.flatMap(({ id }) => {
    const name = toRefusedTitle(id, "a card");
    return name ? [{ id: `${id}.${REFUSED}`, name }] : [];
  }),
];

/** The changes of an account and refused attempts, newest first. */
export const CHANGES = declareList({
  path: "/settings/audit-log",
  views: "audit_log",
  noun: "changes",
  exportPath: "/api/exports/audit-log",
  hint: "Remove a filter to see more.",
  fields: {
    action: { kind: "choice", label: "Action", options: ACTIONS },
    actor_id: { kind: "person", label: "Changes by" },
    target_id: { kind: "record", label: "Record" },
    ...DAYS,
  },
});
