import { OWN_ACTIONS } from "#lib/audit/declared.ts";
import { DECLARED } from "#lib/events/declared.ts";
import { toEntry } from "./entry.ts";

/** The text of the file that lists the actions of the audit log, those of events first. */
export function listActions(): Record<string, string> {
  const ofEvents = Object.values(DECLARED).flatMap(({ actions }) => Object.entries(actions));
  const own = Object.entries(OWN_ACTIONS).map(([name, { title }]) => [name, title] as const);
  return {
    "lib/record/declared-actions.ts": [
      "// Written by npm run generate.",
      "",
      "/** Every action of the audit log, and what it is called in a menu or on a timeline. */",
      "export const AUDIT_ACTIONS = {",
      ...[...ofEvents, ...own].map(([name, title]) => toEntry(name, title)),
      "} as const;",
      "",
    ].join("\n"),
  };
}
