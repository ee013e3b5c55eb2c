import type { ReactElement } from "react";

/**
 * Children of an element beside other children: never text, which has an element of its own (`bin/lint/text-alone.ts`).
 */
export type Elements = ReactElement | null | undefined | false | readonly Elements[];
