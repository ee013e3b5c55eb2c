/** An integrator's own labels for a card. */
export type Metadata = Readonly<Record<string, string>>;

export const METADATA_KEYS_MAX = 20;
export const METADATA_KEY_LENGTH_MAX = 40;
export const METADATA_VALUE_LENGTH_MAX = 255;
/** A notification carries the metadata with the rest of the card, and is limited to 40,000 bytes. */
const BYTES_MAX = 10_000;

/** A sentence that says why a card cannot have all of this metadata; null if it can. */
export function metadataFault(metadata: Metadata): string | null {
  if (Object.keys(metadata).length > METADATA_KEYS_MAX) {
    return `This field may have at most ${METADATA_KEYS_MAX} keys.`;
  }
  return new TextEncoder().encode(JSON.stringify(metadata)).length > BYTES_MAX
    ? `This field must be at most ${BYTES_MAX} bytes as JSON.`
    : null;
}

/** A change of metadata (RFC 7396): a value sets its key, null removes it, and all other keys stay. */
export type MetadataPatch = Readonly<Record<string, string | null>>;

/** The keys whose value the patch changes. */
export function changedKeys(metadata: Metadata, patch: MetadataPatch): string[] {
  const current = new Map(Object.entries(metadata));
  return Object.entries(patch)
    .filter(([key, value]) => (current.get(key) ?? null) !== value)
    .map(([key]) => key);
}

/** The metadata after a patch. */
export function patchMetadata(metadata: Metadata, patch: MetadataPatch): Record<string, string> {
  const entries = new Map([...Object.entries(metadata), ...Object.entries(patch)]);
  return Object.fromEntries(
    [...entries].filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
