import { listContents } from "../contents.ts";
import type { ListedEntry } from "../../shell/docs-index.ts";

let contents: readonly ListedEntry[] | undefined;

/** The index of the documentation's search: the same for everyone, until the server has other documents. */
async function answer(): Promise<Response> {
  contents ??= await listContents();
  return Response.json(contents);
}

export { answer as GET };
