/** Normalizes a JSON value, so that texts that differ only in white space and Unicode normalization become equal. */
export function toComparable(value: unknown): unknown {
  if (typeof value === "string") {
    return value.normalize("NFC").replaceAll(/\s+/gu, " ").trim();
  }
  if (Array.isArray(value)) {
    return value.map(toComparable);
  }
  return value !== null && typeof value === "object"
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, toComparable(member)]),
      )
    : value;
}

/**
 * A JSON value in its canonical form (RFC 8785): no whitespace, members sorted by their names' UTF-16 code units,
 * strings and numbers as `JSON.stringify` writes them. Two bodies have the same form exactly when they mean the
 * same. For values that `readJson` accepted: it bounds their depth, and their numbers are safe integers.
 */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(toCanonicalJson).join(",")}]`;
  }
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value);
  }
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
