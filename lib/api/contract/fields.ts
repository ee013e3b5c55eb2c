import { z } from "zod";
import {
  METADATA_KEY_LENGTH_MAX,
  METADATA_VALUE_LENGTH_MAX,
  metadataFault,
} from "#lib/cards/card-metadata.ts";
import { findCountryCode, toCountryCode } from "#lib/base/country-code.ts";
import { ID_PATTERN } from "#lib/base/ids.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { PAGE_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "#lib/base/paging.ts";

/** Fields that several operations share. */

/** A UUID in any letter case, normalized to lower case. */
export const idSchema = logSafe(
  z
    .string()
    .regex(ID_PATTERN, "This field must be a UUID.")
    .transform((id) => id.toLowerCase())
    // For the document: any spelling is accepted, but answers use this one.
    .meta({ document: { type: "string", format: "uuid" } }),
);

const TEXT_MAX = 255;

/** The document's pattern for text that must not be blank. */
export const NOT_BLANK = { pattern: String.raw`\S` };

/** Text that a person typed: trimmed, not empty, at most 255 characters by default. */
export function text(max = TEXT_MAX) {
  return z
    .string()
    .trim()
    .min(1, "This field must not be empty.")
    .max(max, `This field must be at most ${max} characters long.`)
    .meta(NOT_BLANK);
}

const COUNTRY = "This field must be an ISO 3166-1 country code, for example US.";
const COUNTRY_RULE = { "x-rule": "A country of ISO 3166-1." };

/** A country, stored by its alpha-2 code. */
export const country = z
  .string()
  .transform((given, { issues }) => {
    const code = findCountryCode(given);
    if (code === null) {
      issues.push({ code: "custom", input: given, message: COUNTRY });
    }
    return code ?? given;
  })
  .meta({ document: { type: "string" }, ...COUNTRY_RULE });

/**
 * Text stored exactly as sent. Its length counts characters, as JSON Schema does: an emoji is one.
 */
export function verbatimUpTo(max: number) {
  return z
    .string()
    .refine(
      (given) => Array.from(given).length <= max,
      `This field must be at most ${max} characters long.`,
    )
    .meta({ maxLength: max });
}

/** Like `verbatimUpTo`, with at most 255 characters. */
export const verbatim = verbatimUpTo(TEXT_MAX);

/** Optional text: null, missing, empty, and blank all count as absent. */
export function optionalText(max = TEXT_MAX) {
  return z
    .string()
    .trim()
    .max(max, `This field must be at most ${max} characters long.`)
    .nullable()
    .default(null)
    .transform((given) => given || null);
}

/** Optional text that answers show as `""` when it is absent. */
export function textOrEmpty(max = TEXT_MAX) {
  return optionalText(max).transform((given) => given ?? "");
}

/** Like `verbatim`, for text that has no meaning when empty: it then counts as absent. */
export const optionalVerbatim = verbatim
  .nullable()
  .default(null)
  .transform((given) => given || null);

/** The source of funds. The published client always sends it; null and empty count as absent. */
export const source = logSafe(
  z.enum(["integrator", ""], "This field must be integrator: the float is the only source."),
)
  .nullish()
  .describe("The other side of the movement: integrator, the float, is the only one.");

/**
 * An id that the published client sends even when it has no value: null, missing, and empty count
 * as absent.
 */
export const optionalId = z
  .union([idSchema, z.literal("").transform(() => null)])
  .nullable()
  .default(null);

/** The merchant, as it describes itself. */
export const merchant = z.strictObject({
  name: verbatim
    .refine((name) => name !== "", "This field must not be empty.")
    .meta({ minLength: 1 })
    .describe("The name of the merchant."),
  mcc: z
    .string()
    .regex(/^[0-9]{4}$/u, "This field must be the four digits of an ISO 18245 merchant category.")
    .nullable()
    .default(null)
    .describe("The four digits of the merchant category of ISO 18245."),
  city: verbatim.nullable().default(null),
  country: z
    .string()
    .regex(/^[A-Z]{2,3}$/u, COUNTRY)
    .refine((code) => toCountryCode(code) !== null, COUNTRY)
    .meta(COUNTRY_RULE)
    .nullable()
    .default(null)
    .describe("The country as an ISO 3166-1 code, such as US."),
});

export const email = z
  .email("This field must be an email address.")
  .max(TEXT_MAX, `This field must be at most ${TEXT_MAX} characters long.`);

const LIMIT = `This field must be a whole number, 1 to ${PAGE_SIZE_MAX}.`;
const PAGE = `This field must be a whole number, 1 to ${PAGE_MAX}.`;

/** Rows per page; an empty value counts as absent. */
export const limit = z
  .union([
    z
      .string()
      .regex(/^[0-9]{1,4}$/u, LIMIT)
      .transform(Number)
      .pipe(z.int().min(1, LIMIT).max(PAGE_SIZE_MAX, LIMIT)),
    z.literal("").transform(() => PAGE_SIZE_DEFAULT),
  ])
  .meta({ document: { type: "integer", minimum: 1, maximum: PAGE_SIZE_MAX } })
  .default(PAGE_SIZE_DEFAULT)
  .describe("How many rows a page has at most.");

/** Page numbers start at 1 and are bounded; a cursor is not. An empty value counts as absent. */
export const page = z
  .union([
    z
      .string()
      .regex(/^[0-9]{1,5}$/u, PAGE)
      .transform(Number)
      .pipe(z.int().min(1, PAGE).max(PAGE_MAX, PAGE)),
    z.literal("").transform(() => 1),
  ])
  .meta({ document: { type: "integer", minimum: 1, maximum: PAGE_MAX } })
  .default(1);

export const cursor = z.string().max(TEXT_MAX);

const MOMENT_MIN_MS = Date.parse("0001-01-01T00:00:00Z");
export const MOMENT_MAX_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * An RFC 3339 time whose year in UTC has four digits and is not 0, because PostgreSQL accepts no
 * other year in this form.
 */
export const moment = momentOr(
  "This field must be an RFC 3339 time, for example 2026-01-31T00:00:00Z.",
);

/** @param malformed the error message for text of another form. */
export function momentOr(malformed: string) {
  return z.iso
    .datetime({ offset: true, error: malformed })
    .transform((at) => new Date(at))
    .refine(
      (at) => at.getTime() >= MOMENT_MIN_MS && at.getTime() <= MOMENT_MAX_MS,
      "This field must be a time in the years 0001 to 9999, in UTC.",
    );
}

const METADATA_KEY = `Each key must be 1 to ${METADATA_KEY_LENGTH_MAX} characters long, not all of them spaces.`;

// Not trimmed: two keys that differ only in spaces would become one, and a value would be lost.
const metadataKey = z
  .string()
  .max(METADATA_KEY_LENGTH_MAX, METADATA_KEY)
  .regex(/\S/u, METADATA_KEY);

const metadataValue = z
  .string("Each value must be a string.")
  .max(
    METADATA_VALUE_LENGTH_MAX,
    `Each value must be at most ${METADATA_VALUE_LENGTH_MAX} characters long.`,
  );

/** The metadata of a card as a whole. */
export const metadata = z.record(metadataKey, metadataValue).check(({ value, issues }) => {
  const fault = metadataFault(value);
  if (fault !== null) {
    issues.push({ code: "custom", input: value, message: fault });
  }
});

/** A change of metadata: null removes a key. */
export const metadataPatch = z.record(metadataKey, metadataValue.nullable());

/**
 * Requires at least one member of a body whose members are all optional; the message names them
 * all.
 */
export function requireOne(
  body: object,
  names: readonly string[],
  context: { issues: z.core.$ZodRawIssue[] },
): void {
  if (Object.keys(body).length > 0) {
    return;
  }
  for (const name of names) {
    context.issues.push({
      code: "custom",
      input: body,
      path: [name],
      message: `At least one of ${names.join(", ")} is required.`,
    });
  }
}
