import { isId } from "#lib/base/ids.ts";

/** A member of a URL: absent, given once, or given several times. */
export type Param = string | readonly string[] | undefined;

/** The text of a member that is given once. A member that is given several times is ignored. */
export function toText(given: Param): string | undefined {
  return typeof given === "string" ? given : undefined;
}

/** The position in a list from a member; any other text is ignored. */
export function toPosition(given: Param): string | undefined {
  const text = toText(given);
  return text !== undefined && /^[0-9]{1,15}$/u.test(text) ? text : undefined;
}

/** The id from a member; any other text is ignored. */
export function toId(given: Param): string | undefined {
  const text = toText(given);
  return text !== undefined && isId(text) ? text : undefined;
}
