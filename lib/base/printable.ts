const NAME_MAX = 100;

/** Control characters. PostgreSQL cannot store all of them in text, and some would let a caller forge log lines. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f]/gu;

/**
 * A caller's text in a form that is safe to store and log. Replaces control characters and lone surrogates, and truncates
 * to `max` UTF-16 code units.
 */
export function toPrintable(text: string, max: number): string {
  return text.slice(0, max).toWellFormed().replaceAll(CONTROLS, "\ufffd");
}

/** The name of a member or parameter, as an error message repeats it. */
export function toPrintableName(name: string): string {
  return toPrintable(name, NAME_MAX);
}
