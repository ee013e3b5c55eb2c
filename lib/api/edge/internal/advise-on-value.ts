import { z } from "zod";
import { findNearest } from "#lib/api/edge/internal/nearest.ts";
import { toLayers } from "#lib/base/log-safe.ts";

/** Longer text is not tried in other forms. */
const LENGTH_MAX = 1_000;

/** A value that could have been meant, and the sentence that suggests it. */
interface Repair {
  value: unknown;
  sentence: string;
}

/**
 * The first repair of a value that its schema accepts, as a sentence; empty if there is none or nothing needs repair.
 */
export function adviseOnValue(schema: z.core.$ZodType, given: unknown): string {
  if (isAccepted(schema, given) || (typeof given === "string" && given.length > LENGTH_MAX)) {
    return "";
  }
  const repair = toRepairs(schema, given).find(({ value }) => isAccepted(schema, value));
  return repair?.sentence ?? "";
}

function isAccepted(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

function toRepairs(schema: z.core.$ZodType, given: unknown): Repair[] {
  if (given === null || given === "") {
    return [{ value: undefined, sentence: "Leave it out." }];
  }
  if (Array.isArray(given)) {
    return given.length === 1 ? [{ value: given[0], sentence: "Send it without a list." }] : [];
  }
  if (typeof given === "object") {
    return "id" in given ? [{ value: given.id, sentence: "Send its id alone." }] : [];
  }
  const inList = { value: [given], sentence: "Send it as a list." };
  return typeof given === "string"
    ? [...toRepairsOfText(schema, given), inList]
    : [{ value: JSON.stringify(given), sentence: "Send it in quotes." }, inList];
}

const UNQUOTED = /^(?:-?(?:0|[1-9][0-9]*)|true|false)$/u;

/** For any other text, letter case is not the problem. */
const WORD = /^[a-z_]+$/iu;

function toRepairsOfText(schema: z.core.$ZodType, given: string): Repair[] {
  const word = toKnownWords(schema, given);
  return [
    { value: given.trim(), sentence: "Send it without the spaces around it." },
    ...(UNQUOTED.test(given)
      ? [{ value: JSON.parse(given), sentence: "Send it without quotes." }]
      : []),
    ...(word === null ? [] : [{ value: word, sentence: `Did you mean ${word}?` }]),
    ...(WORD.test(given)
      ? [
          { value: given.toUpperCase(), sentence: "Send it in upper case." },
          { value: given.toLowerCase(), sentence: "Send it in lower case." },
        ]
      : []),
  ];
}

/**
 * The words of a closed list that were probably meant, separated as in the given text; null if any of the given words
 * resembles none.
 */
function toKnownWords(schema: z.core.$ZodType, given: string): string | null {
  const words = toLayers(schema).flatMap(toWords);
  const known = given.split(",").map((word) => findNearest(word.trim(), words));
  return known.includes(undefined) ? null : known.join(",");
}

function toWords(layer: z.core.$ZodType): string[] {
  const { document } = z.globalRegistry.get(layer) ?? {};
  const { enum: words = [], items } = Object(document);
  const listed = [
    ...(layer instanceof z.ZodEnum ? layer.options : []),
    ...(layer instanceof z.ZodLiteral ? layer.values : []),
    ...words,
    ...(Object(items).enum ?? []),
  ];
  return listed.filter((word): word is string => typeof word === "string" && word !== "");
}
