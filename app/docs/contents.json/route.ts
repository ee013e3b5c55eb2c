import { GUIDES, toGuideHref } from "../guides.ts";
import { listEvents } from "../../reference/events.ts";
import { toEventHref, toOperationHref } from "../../reference/href.ts";
import { listOperations } from "../../reference/reference.ts";

/** A page of the documentation, as the palette lists it. */
export interface DocsEntry {
  href: string;
  name: string;
  detail: string;
}

/** Every guide, operation, and event, so that the palette can find them without loading the contract. */
export function GET(): Response {
  const guides = GUIDES.map((guide): DocsEntry => {
    return { href: toGuideHref(guide), name: guide.name, detail: guide.summary };
  });
  const operations = listOperations()
    .flatMap((group) => group.operations)
    .map(({ id, name, method, path }): DocsEntry => {
      return { href: toOperationHref(id), name, detail: `${method} /api${path}` };
    });
  const events = listEvents().map(({ name, when }): DocsEntry => {
    return { href: toEventHref(name), name, detail: when };
  });
  return Response.json([...guides, ...operations, ...events]);
}
