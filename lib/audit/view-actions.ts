import type { DeclaredActions } from "#lib/audit/action.ts";
import { say } from "#lib/sentences/say.ts";
import type { Teller } from "#lib/sentences/teller.ts";
import { isViewList, VIEW_LIST_NAMES } from "#lib/views/view-lists.ts";

export const VIEW_ACTIONS: DeclaredActions = {
  "view.created": {
    title: "View saved",
    tell: (teller) => say`${teller.who} saved a view of ${toListName(teller)}`,
  },
  "view.updated": {
    title: "View changed",
    tell: (teller) => say`${teller.who} changed a view of ${toListName(teller)}`,
  },
  "view.deleted": {
    title: "View deleted",
    tell: (teller) => say`${teller.who} deleted a view of ${toListName(teller)}`,
  },
};

function toListName(teller: Teller): string {
  const list = teller.text("list");
  return isViewList(list) ? VIEW_LIST_NAMES[list] : "a list";
}
