import type { DeclaredActions } from "#lib/audit/action.ts";
import { toAskedFor } from "#lib/sentences/asked-for.ts";
import { say } from "#lib/sentences/say.ts";

export const APPROVAL_ACTIONS: DeclaredActions = {
  "approval.canceled": {
    title: "Request canceled",
    format: (formatter) => say`${formatter.who} canceled the request to ${toAskedFor(formatter)}`,
  },
};
