const NAME_MAX = 100;

/** What PostgreSQL cannot keep in a text, and what would let a caller write lines of a log: control characters. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f]/gu;

/**
 * A caller's text as it may be stored and logged: control characters and lone surrogates are replaced, and it is cut to
 * `max` UTF-16 units.
 */
export function toPrintable(text: string, max: number): string {
  return text.slice(0, max).toWellFormed().replaceAll(CONTROLS, "\ufffd");
}

/** A member's or a parameter's name as a refusal repeats it. */
export function toPrintableName(name: string): string {
  return toPrintable(name, NAME_MAX);
}
