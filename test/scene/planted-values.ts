import { z } from "zod";
import { isLogSafe, toLayers } from "#lib/base/log-safe.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";

/** Values planted wherever a request about a cardholder, a card, or a purchase can hold one, as the contract says. */

/** What says nothing of a cardholder: a merchant is a business, and a design and a reference are names of ours. */
const IMPERSONAL: ReadonlySet<string> = new Set([
  "merchant",
  "merchant_currency",
  "design_type",
  "reference",
  "authorization_reference",
  "original_reference",
]);

/** The operations with a text that somebody may type about a cardholder, found in the contract. */
export const TYPED: readonly Operation[] = OPERATIONS.filter(
  (operation: Operation) =>
    /^\/(?:cards|processor)\b|card-users|register-user/u.test(operation.path) &&
    operation.body !== null &&
    findMembers(operation.body).length > 0,
);

/** An address needs one, and no text of one's own can stand there. */
const COUNTRY = "GH";

/** Plants new values, and remembers them. */
export class Planter {
  readonly planted: string[] = [];
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** The members of the operation's body that can hold a text, each with a value found nowhere else. */
  plant({ body }: Operation): Record<string, unknown> {
    return body ? this.plantMembers(body) : {};
  }

  private plantMembers(schema: z.core.$ZodType): Record<string, unknown> {
    const members = findMembers(schema).map(([name, inner]): [string, unknown] => [
      name,
      this.plantValue(inner),
    ]);
    const { country } = findObject(schema)?.shape ?? {};
    return { ...(country && { country: COUNTRY }), ...Object.fromEntries(members) };
  }

  private plantValue(schema: z.core.$ZodType): unknown {
    if (findObject(schema)) {
      return this.plantMembers(schema);
    }
    const token = `${this.name}${this.planted.length}ed`;
    this.planted.push(token);
    const forms = toForms(token);
    return forms.find((form) => z.safeParse(schema, form).success);
  }
}

/** One of these can stand wherever text can: text, an email, or metadata. */
function toForms(token: string): unknown[] {
  return [token, `${token}@example.com`, { [token]: token }];
}

function findMembers(schema: z.core.$ZodType): [string, z.core.$ZodType][] {
  const members = Object.entries(findObject(schema)?.shape ?? {});
  return members.filter(([name, inner]) => !IMPERSONAL.has(name) && canHoldText(inner));
}

function findObject(schema: z.core.$ZodType): z.ZodObject | undefined {
  return toLayers(schema).find((layer) => layer instanceof z.ZodObject);
}

function canHoldText(schema: z.core.$ZodType): boolean {
  if (findObject(schema)) {
    return findMembers(schema).length > 0;
  }
  const isSafe = toLayers(schema).some((layer) => isLogSafe(layer));
  return !isSafe && toForms("plant0ed").some((form) => z.safeParse(schema, form).success);
}
