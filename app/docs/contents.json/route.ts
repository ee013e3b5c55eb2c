import { GUIDES, toGuideHref } from "../guides.ts";
import { toOperationHref } from "../_reference/operation-href.ts";
import { listOperations } from "../_reference/reference.ts";

/** A page of the documentation, as the palette lists it. */
export interface DocsEntry {
  href: string;
  name: string;
  detail: string;
}

/** Every guide and every operation: the palette finds them without the contract itself. */
export function GET(): Response {
  const guides = GUIDES.map((guide): DocsEntry => {
    return { href: toGuideHref(guide), name: guide.name, detail: guide.summary };
  });
  const operations = listOperations()
    .flatMap((group) => group.operations)
    .map(({ id, name, method, path }): DocsEntry => {
      return { href: toOperationHref(id), name, detail: `${method} /api${path}` };
    });
  return Response.json([...guides, ...operations]);
}
