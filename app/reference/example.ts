/** The first example in the document. */
export function toExample({
  example,
  examples,
}: {
  example?: unknown;
  examples?: Record<string, { value: unknown }> | undefined;
}): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value;
}
