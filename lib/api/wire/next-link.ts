type Value = string | number | Date | readonly string[] | undefined;

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
      next.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
  }
  next.set("cursor", nextCursor);
  return { Link: `<${path}?${next}>; rel="next"` };
}

function toEntries([name, value]: [string, Value | Readonly<Record<string, string>>]): [
  string,
  Value,
][] {
  return isMetadata(value)
    ? Object.entries(value).map(([key, entry]) => [`${name}[${key}]`, entry])
    : [[name, value]];
}

function isMetadata(
  value: Value | Readonly<Record<string, string>>,
): value is Readonly<Record<string, string>> {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
}
