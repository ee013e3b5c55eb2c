import { listContents } from "../contents.ts";
import type { ListedEntry } from "../../shell/docs-index.ts";

let contents: readonly ListedEntry[] | undefined;

/**
 * Answers with the index of the documentation's search. It is the same for everyone until the server's documents
 * change.
 */
async function answer(): Promise<Response> {
  contents ??= await listContents();
  return Response.json(contents);
}

export { answer as GET };
