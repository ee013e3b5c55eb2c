/** Anything else would make `fetch` fail with a message that quotes it. */
const SENDABLE = /^[\t -~\u0080-\u00ff]*$/u;

/** @throws TypeError, which does not quote the value: it may be a secret. */
export function requireSendable(name: string, value: string): void {
  if (!SENDABLE.test(value)) {
    throw new TypeError(`${name} has a character that no header can carry.`);
  }
}

/**
 * One set of headers; the later ones win, in whatever case they are written.
 * @throws TypeError for what cannot be sent.
 */
export function toHeaders(
  ...all: readonly (Readonly<Record<string, string | undefined>> | undefined)[]
): Headers {
  const headers = new Headers();
  for (const [name, value] of all.flatMap((each = {}) => Object.entries(each))) {
    if (value !== undefined) {
      requireSendable(name, value);
      headers.set(name, value);
    }
  }
  return headers;
}
