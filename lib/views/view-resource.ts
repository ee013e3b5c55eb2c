import type { SavedView } from "#lib/views/views.ts";

/** The wire form of a saved view. */
export function toViewResource(view: SavedView) {
  return {
    id: view.id,
    list: view.list,
    name: view.name,
    query: view.query,
    shared: view.shared,
    is_mine: view.isMine,
    created_by: view.createdBy,
    created_at: view.createdAt.toISOString(),
    updated_at: view.updatedAt.toISOString(),
  };
}
