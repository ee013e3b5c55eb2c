const texts = new WeakMap<Response, string>();

/** Notes the text of an answer, so that a server that can write text need not read it back from a stream. */
export function setText(response: Response, text: string): Response {
  texts.set(response, text);
  return response;
}

/** The whole body of an answer of the API; undefined for what was made elsewhere. */
export function textOf(response: Response): string | undefined {
  return texts.get(response);
}
