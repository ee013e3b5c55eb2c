import codes from "mcc";

/** The categories of ISO 18245 by their codes: 180 KB, so only what is rendered on the server may import this file. */
const NAMES: ReadonlyMap<string, string> = new Map(
  codes.all.map(({ mcc, edited_description: name }) => [mcc, name]),
);

export interface Category {
  code: string;
  name: string;
}

/** All categories, in the order of their codes. */
export function listCategories(): Category[] {
  return [...NAMES].map(([code, name]) => ({ code, name }));
}

/** `Fast Food Restaurants`; null for a code without a name. */
export function toCategoryName(mcc: string): string | null {
  return NAMES.get(mcc) ?? null;
}

/** `Fast Food Restaurants (5814)`; only the code if it has no name. */
export function toCategory(mcc: string): string {
  const name = toCategoryName(mcc);
  return name === null ? mcc : `${name} (${mcc})`;
}
