/** A member of something that was received; undefined where there is none. */
export function member(value: unknown, name: string): unknown {
  const members: Record<string, unknown> = Object(value);
  return members[name];
}
