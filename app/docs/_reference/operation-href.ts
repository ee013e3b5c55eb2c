/** The page of an operation. It stays the same as long as the operation keeps its id. */
export function toOperationHref(id: string): string {
  return `/docs/api/${id}`;
}
