import { z } from "zod";
import { toTimeZone } from "#lib/base/time-zone.ts";

const URL_MAX = 2_048;
const DOMAIN_MAX = 255;
const WEBHOOK_URL =
  "This field must be an https URL (http is allowed in the sandbox) without credentials or a fragment, or null.";

/** The address that receives notifications. This checks only its form. Each send checks what it resolves to. */
export const webhookUrlSchema = z
  .string()
  .trim()
  .max(URL_MAX, `This field must be at most ${URL_MAX} characters long.`)
  .refine(isWebhookUrl, WEBHOOK_URL)
  .meta({ format: "uri", pattern: "^https?://[^#]+$", "x-rule": "A URL without credentials." });

function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.username === "" &&
    url.password === "" &&
    !text.includes("#")
  );
}

const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/iu;

const PROGRAM_NAME_MAX = 40;

/** The name on the drawn cards: short enough for one line of a card. */
export const programNameSchema = z
  .string()
  .trim()
  .min(1, "This field must not be empty.")
  .max(PROGRAM_NAME_MAX, `This field must be at most ${PROGRAM_NAME_MAX} characters long.`)
  .meta({ pattern: String.raw`\S` });

/** A color as `#rrggbb`, in lower case. */
export const cardColorSchema = z
  .string()
  .trim()
  .regex(/^#[0-9a-f]{6}$/iu, "This field must be a color such as #1b2340, or null.")
  .toLowerCase();

const A_TIME_ZONE =
  "This field must be UTC or the IANA name of a time zone, such as America/New_York.";

/** A time zone, under its current name. */
export const timeZoneSchema = z
  .string(A_TIME_ZONE)
  .trim()
  .transform((name, context) => {
    const zone = toTimeZone(name);
    if (zone === undefined) {
      context.addIssue(A_TIME_ZONE);
      return z.NEVER;
    }
    return zone;
  })
  .meta({ "x-rule": "UTC, or the IANA name of a time zone." });

/** A host name or an http(s) URL, stored as given. */
export const domainSchema = z
  .string()
  .trim()
  .max(DOMAIN_MAX, `This field must be at most ${DOMAIN_MAX} characters long.`)
  .refine(
    (text) => HOST_NAME.test(text) || /^https?:$/u.test(URL.parse(text)?.protocol ?? ""),
    "This field must be a host name or an http(s) URL.",
  )
  .meta({ pattern: "^[A-Za-z0-9]", "x-rule": "A host name or an http(s) URL." });
