import { isId } from "#lib/base/ids.ts";

/** A member of an address: absent, given once, or given several times. */
export type Param = string | readonly string[] | undefined;

/** The text of a member that is given once. One that is given several times says nothing. */
export function toText(given: Param): string | undefined {
  return typeof given === "string" ? given : undefined;
}

/** The id that a member gives; any other text says nothing. */
export function toId(given: Param): string | undefined {
  const text = toText(given);
  return text !== undefined && isId(text) ? text : undefined;
}
