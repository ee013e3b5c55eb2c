import type { RedactedMember } from "./redacted-members.ts";
import type { Resendable } from "./to-resendable.ts";

/** A member by its path, as errors name it. */
export function toName({ path }: RedactedMember): string {
  return path.join(".");
}

/**
 * The body to send: the first one if all of it was kept, otherwise the kept members with the values that were filled
 * in. A value for a member that takes no text is JSON; invalid JSON is sent as text, for the server to refuse.
 * @returns null for no body.
 */
export function toBody(
  { text, body, missing }: Pick<Resendable, "text" | "body" | "missing">,
  values: Readonly<Record<string, string>>,
): string | null {
  if (text !== null || body === null) {
    return text;
  }
  const filled: unknown = structuredClone(body);
  for (const member of missing) {
    fill(filled, member.path, toValue(member, values[toName(member)] ?? ""));
  }
  return JSON.stringify(filled);
}

/** @returns undefined for a member to omit. */
function toValue({ isText }: RedactedMember, given: string): unknown {
  if (given === "") {
    return undefined;
  }
  if (isText) {
    return given;
  }
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function fill(place: unknown, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (typeof place !== "object" || place === null) {
    return;
  }
  if (rest.length > 0) {
    fill(Object.entries(place).find(([each]) => each === name)?.[1], rest, value);
  } else if (value === undefined) {
    Reflect.deleteProperty(place, name);
  } else {
    Reflect.set(place, name, value);
  }
}
