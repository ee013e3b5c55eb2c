import { z } from "zod";
import { isLogSafe, toLayers } from "#lib/base/log-safe.ts";
import { REDACTED } from "#lib/record/request-classes.ts";

/** The part of a body that may be kept. */
export interface RedactedBody {
  body: unknown;
  /** Whether any value was replaced. */
  isRedacted: boolean;
  /** Whether the rest was omitted because the body is long. */
  isCut: boolean;
  /** How many members the contract does not know. Not even their names are kept. */
  unknownMembers: number;
}

/** The maximum size of a kept body, in bytes of JSON. */
export const BYTES_MAX = 8_192;

/**
 * Keeps of a body only what its schema marks as safe, and only where the value fits the schema: an email address sent
 * as a `card_id` is not kept either. Null is kept, because it says only that there is no value.
 */
export function redact(schema: z.ZodType, value: unknown): RedactedBody {
  const redaction = new Redaction();
  const body = redaction.keep(schema, value);
  const { isRedacted, isCut, unknownMembers } = redaction;
  return { body, isRedacted, isCut, unknownMembers };
}

class Redaction {
  isRedacted = false;
  isCut = false;
  unknownMembers = 0;
  private bytesLeft = BYTES_MAX;

  keep(schema: z.core.$ZodType, value: unknown): unknown {
    const layers = toLayers(schema);
    if (value === null || isSafeValue(layers, value)) {
      this.take(JSON.stringify(value));
      return value;
    }
    if (Array.isArray(value)) {
      const list = layers.find((layer) => layer instanceof z.ZodArray);
      return list ? this.keepItems(list.element, value) : this.replace();
    }
    const object = layers.find((layer) => layer instanceof z.ZodObject);
    return object && isObject(value) ? this.keepMembers(object.shape, value) : this.replace();
  }

  private keepItems(schema: z.core.$ZodType, items: readonly unknown[]): unknown[] {
    const kept: unknown[] = [];
    this.take("[]");
    for (const item of items) {
      if (this.isCut) {
        break;
      }
      this.addUnlessFull(item, schema, (value) => kept.push(value));
    }
    return kept;
  }

  private keepMembers(shape: z.core.$ZodShape, value: Record<string, unknown>): object {
    const kept: Record<string, unknown> = {};
    this.take("{}");
    for (const [name, given] of Object.entries(value)) {
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (!schema) {
        this.unknownMembers += 1;
      } else if (!this.isCut) {
        this.take(`"${name}":`);
        this.addUnlessFull(given, schema, (member) => {
          kept[name] = member;
        });
      }
    }
    return kept;
  }

  private addUnlessFull(
    value: unknown,
    schema: z.core.$ZodType,
    add: (kept: unknown) => void,
  ): void {
    const kept = this.keep(schema, value);
    this.take(",");
    this.isCut ||= this.bytesLeft < 0;
    // A container that was cut off inside is shown as far as it was kept; a value that does not fit is omitted.
    if (this.bytesLeft >= 0 || (typeof kept === "object" && kept !== null)) {
      add(kept);
    }
  }

  private replace(): string {
    this.isRedacted = true;
    this.take(`"${REDACTED}"`);
    return REDACTED;
  }

  private take(text: string): void {
    this.bytesLeft -= Buffer.byteLength(text);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isSafeValue(layers: readonly z.core.$ZodType[], value: unknown): boolean {
  return (
    typeof value !== "object" &&
    value !== undefined &&
    layers.some((layer) => isSafe(layer) && z.safeParse(layer, value).success)
  );
}

/** A literal can only be a value from the contract. */
function isSafe(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodLiteral || isLogSafe(schema);
}
