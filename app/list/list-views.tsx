import { EditView, SaveView, UpdateView } from "./view-actions.tsx";
import type { ShownView } from "./view-dialogs.tsx";
import { readAsked, toListHref } from "./list.ts";
import type { AskedList, List } from "./list.ts";
import { SegmentedLinks } from "../ui/segmented-links.tsx";
import type { Role } from "#lib/access/roles.ts";
import { readOnceAs } from "#lib/auth/page-session.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { viewCan } from "#lib/views/view-can.ts";
import { listViews } from "#lib/views/views.ts";
import type { SavedView } from "#lib/views/views.ts";

/** The saved views of a list side by side, and what can be done with the one that is shown. */
export async function ListViews({ asked, session }: { asked: AskedList; session: StaffSession }) {
  const { list, values } = asked;
  const views = await readOnceAs(session, (ctx) => listViews(ctx, list.views));
  const query = toQuery(asked);
  if (views.length === 0 && query === "") {
    return null;
  }
  const shown = views.find(({ id }) => id === values["view"]);
  const all = { name: "All", href: list.path, isCurrent: shown === undefined && query === "" };
  const links = views.map((view) => ({
    name: view.name,
    href: toListHref(toAsked(list, view), { view: view.id }),
    isCurrent: view === shown,
  }));
  return (
    <div className="border-separator flex min-h-11 flex-wrap items-center gap-2 border-b px-4 py-1">
      {views.length > 0 && <SegmentedLinks label="Views" links={[all, ...links]} />}
      <Actions asked={asked} role={session.actor.staff.role} shown={shown} />
    </div>
  );
}

function Actions({
  asked,
  shown,
  role,
}: {
  asked: AskedList;
  shown: SavedView | undefined;
  role: Role;
}) {
  const { list } = asked;
  const query = toQuery(asked);
  const view = shown && toShown(shown, role);
  const common = {
    href: toListHref(asked, { view: undefined }),
    shareDisabledReason: viewCan.share(role),
  };
  if (view && toQuery(toAsked(list, shown)) === query) {
    return <EditView {...common} key={view.id} view={view} />;
  }
  return (
    <>
      {view && <UpdateView query={query} view={view} />}
      {query !== "" && (
        <SaveView
          {...common}
          list={list.views}
          name={view ? "Save as new view" : "Save view"}
          query={query}
        />
      )}
    </>
  );
}

function toShown(view: SavedView, role: Role): ShownView {
  const { id, name, shared } = view;
  return {
    id,
    name,
    shared,
    changeDisabledReason: viewCan.change(view, role),
    deleteDisabledReason: viewCan.delete(view, role),
    unshareDisabledReason: viewCan.unshare(view, role),
  };
}

/** What a view of this would keep. Equal filters are equal texts. */
function toQuery(asked: AskedList): string {
  return toListHref(asked, { view: undefined }).split("?")[1] ?? "";
}

/** What a view asks of its list today: members that the list no longer has are left out. */
function toAsked(list: List, { query }: SavedView): AskedList {
  return readAsked(list, Object.fromEntries(new URLSearchParams(query)));
}
