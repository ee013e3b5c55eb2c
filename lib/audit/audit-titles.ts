import { toRefusedTitle } from "#lib/operations/attempt.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { REFUSED } from "#lib/record/audit-actions.ts";
import type { AuditSearch } from "#lib/record/audit-actions.ts";
import { AUDIT_ACTIONS } from "#lib/record/declared-actions.ts";

/** Every action of the audit log, refused attempts included, with its title. */
export const AUDIT_TITLES: readonly { id: string; name: string }[] = [
  ...Object.entries(AUDIT_ACTIONS).map(([id, name]) => ({ id, name })),
  ...OPERATIONS.flatMap(({ id }) => {
    const name = toRefusedTitle(id, "a card");
    return name ? [{ id: `${id}.${REFUSED}`, name }] : [];
  }),
];

/** Builds a search of the audit log that also finds actions by their titles; undefined without a text. */
export function toAuditSearch(text: string | undefined): AuditSearch | undefined {
  return text === undefined ? undefined : { text, titles: AUDIT_TITLES };
}
