import type { ReactElement } from "react";

/**
 * Children next to other children of an element. Never text, which needs an element of its own
 * (`bin/lint/text-alone.ts`).
 */
export type Elements = ReactElement | null | undefined | false | readonly Elements[];
