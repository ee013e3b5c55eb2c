/** The page of an operation. It stays the same while the operation keeps its id. */
export function toOperationHref(id: string): string {
  return `/docs/api/${id}`;
}

/** The page of an event. */
export function toEventHref(name: string): string {
  return `/docs/api/events/${name}`;
}
