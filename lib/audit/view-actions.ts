import type { DeclaredActions } from "#lib/audit/action.ts";
import { say } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";
import { isViewList, VIEW_LIST_NAMES } from "#lib/views/view-lists.ts";

export const VIEW_ACTIONS: DeclaredActions = {
  "view.created": {
    title: "View saved",
    format: (formatter) => say`${formatter.who} saved a view of ${toListName(formatter)}`,
  },
  "view.updated": {
    title: "View changed",
    format: (formatter) => say`${formatter.who} changed a view of ${toListName(formatter)}`,
  },
  "view.deleted": {
    title: "View deleted",
    format: (formatter) => say`${formatter.who} deleted a view of ${toListName(formatter)}`,
  },
};

function toListName(formatter: EventFormatter): string {
  const list = formatter.text("list");
  return isViewList(list) ? VIEW_LIST_NAMES[list] : "a list";
}
