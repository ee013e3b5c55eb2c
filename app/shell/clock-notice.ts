import { toAheadText } from "#lib/base/deadline-clock.ts";

/** The notice after the deadlines have been advanced. */
export function toAdvancedNotice(offsetS: number): string {
  return `Deadlines are ${toAheadText(offsetS)} ahead of real time.`;
}
