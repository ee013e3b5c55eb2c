const texts = new WeakMap<Response, string>();

/**
 * Attaches the text of an answer to its response, so that the server can write it without reading
 * the stream back.
 */
export function setText(response: Response, text: string): Response {
  texts.set(response, text);
  return response;
}

/** The whole body of an API answer; undefined for a response made elsewhere. */
export function textOf(response: Response): string | undefined {
  return texts.get(response);
}
