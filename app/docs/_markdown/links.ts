import { GUIDES, toGuideHref } from "../guides.ts";
import { findOperationAt } from "../../reference/reference.ts";
import { toEventHref, toOperationHref } from "../../reference/href.ts";
import { ERROR_CODES } from "#lib/base/error-codes.ts";
import { isEventName } from "#lib/record/event-catalog.ts";

const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

/**
 * Where a guide's link leads on this server.
 * @throws Error for a file that is not served.
 */
export function toLinkHref(href: string): string {
  const [file = "", fragment] = href.split("#", 2);
  if (file === "" || /^https?:/u.test(href)) {
    return href;
  }
  const guide = GUIDES.find((each) => each.file === file);
  if (!guide) {
    throw new Error(`A guide links to ${href}, which is not served.`);
  }
  return `${toGuideHref(guide)}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** The page of an operation, an event, or an error that a guide mentions as code; null for any other code. */
export function toCodeHref(code: string): string | null {
  if (CODES.has(code)) {
    return `/docs/errors#${code}`;
  }
  if (isEventName(code)) {
    return toEventHref(code);
  }
  const [method = "", path = ""] = code.split(" ", 2);
  const operation = findOperationAt(method, path);
  return operation ? toOperationHref(operation.id) : null;
}
