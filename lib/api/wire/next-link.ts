type Value = string | number | readonly string[] | undefined;

/** The `Link` header (RFC 8288) of a list's next page: the same query with the next cursor. */
export function toNextLink(
  path: string,
  query: Readonly<Record<string, Value | Readonly<Record<string, string>>>>,
  nextCursor: string | null,
): Record<string, string> {
  if (nextCursor === null) {
    return {};
  }
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query).flatMap(toEntries)) {
    if (value !== undefined && name !== "page" && name !== "cursor") {
      next.set(name, String(value));
    }
  }
  next.set("cursor", nextCursor);
  return { Link: `<${path}?${next}>; rel="next"` };
}

function isList(value: readonly string[] | object): value is readonly string[] {
  return Array.isArray(value);
}

function toEntries([name, value]: [string, Value | Readonly<Record<string, string>>]): [
  string,
  Value,
][] {
  return typeof value === "object" && !isList(value)
    ? Object.entries(value).map(([key, entry]) => [`${name}[${key}]`, entry])
    : [[name, value]];
}
