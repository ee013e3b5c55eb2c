import { EditView, SaveView, UpdateView } from "./view-actions.tsx";
import type { ShownView } from "./view-dialogs.tsx";
import { readListQuery, toListHref } from "./list.ts";
import type { ListQuery, List } from "./list.ts";
import { SegmentedLinks } from "../ui/segmented-links.tsx";
import type { Role } from "#lib/access/roles.ts";
import { readOnceAs } from "#lib/auth/page-session.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { viewCan } from "#lib/views/view-can.ts";
import { listViews } from "#lib/views/views.ts";
import type { SavedView } from "#lib/views/views.ts";

/** The saved views of a list side by side, and the actions on the current one. */
export async function ListViews({
  listQuery,
  session,
}: {
  listQuery: ListQuery;
  session: StaffSession;
}) {
  const { list, values } = listQuery;
  const views = await readOnceAs(session, (ctx) => listViews(ctx, list.views));
  const query = toQuery(listQuery);
  if (views.length === 0 && query === "") {
    return null;
  }
  const shown = views.find(({ id }) => id === values["view"]);
  const all = { name: "All", href: list.path, isCurrent: shown === undefined && query === "" };
  const links = views.map((view) => ({
    name: view.name,
    href: toListHref(toListQuery(list, view), { view: view.id }),
    isCurrent: view === shown,
  }));
  return (
    <div className="border-separator flex min-h-11 flex-wrap items-center gap-2 border-b px-4 py-1">
      {views.length > 0 && <SegmentedLinks label="Views" links={[all, ...links]} />}
      <Actions listQuery={listQuery} role={session.actor.staff.role} shown={shown} />
    </div>
  );
}

function Actions({
  listQuery,
  shown,
  role,
}: {
  listQuery: ListQuery;
  shown: SavedView | undefined;
  role: Role;
}) {
  const { list } = listQuery;
  const query = toQuery(listQuery);
  const view = shown && toShown(shown, role);
  const common = {
    href: toListHref(listQuery, { view: undefined }),
    shareDisabledReason: viewCan.share(role),
  };
  if (view && toQuery(toListQuery(list, shown)) === query) {
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

/** The text that a view would save. Equal queries have equal texts. */
function toQuery(listQuery: ListQuery): string {
  return toListHref(listQuery, { view: undefined }).split("?")[1] ?? "";
}

/** The query that a view saved, without members that the list no longer has. */
function toListQuery(list: List, { query }: SavedView): ListQuery {
  return readListQuery(list, Object.fromEntries(new URLSearchParams(query)));
}
