import { formatMoney } from "#lib/base/money.ts";

/** The body that a person typed, or one sentence that says what is wrong with it. */
export function parseBody(text: string): { value: unknown; error: string | null } {
  try {
    const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { value, error: null }
      : { value, error: "The body must be a JSON object." };
  } catch (error) {
    return { value: undefined, error: `The body must be valid JSON. ${toReason(error)}` };
  }
}

function toReason(error: unknown): string {
  return error instanceof Error ? `${error.message}.`.replace("..", ".") : "";
}

/** How much money a body moves, in words; null if it names no amount. */
export function toConsequence(text: string, currency: string): string | null {
  const { value } = parseBody(text);
  const amount =
    typeof value === "object" && value !== null && "amount" in value ? value.amount : null;
  if (amount === "all") {
    return "Amount: everything available.";
  }
  return Number.isSafeInteger(amount) ? `Amount: ${formatMoney(Number(amount), currency)}.` : null;
}
