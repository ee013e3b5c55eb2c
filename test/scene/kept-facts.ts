import { runCommand } from "../../bin/floatdeck-cli.ts";
import { testDatabase } from "#test/database/database.ts";

/** What the operator sees and does of the card network's messages that are not in the books, with the command. */

/** A kept message, as `floatdeck unmatched --json` lists it. */
interface Listed {
  id: string;
  reference: string;
  reason: string;
  card_id: string | null;
}

export const floatdeck = (...args: string[]) =>
  runCommand(args, {
    DATABASE_URL: testDatabase().url,
    FLOATDECK_SECRET: "a secret for nothing but this test run",
  });

/** What is kept under a reference. */
export async function listKept(reference: string): Promise<Listed[]> {
  const { out } = await floatdeck("unmatched", "--json");
  const listed: Listed[] = JSON.parse(out);
  return listed.filter((each) => each.reference === reference);
}

/** The first of it. */
export async function findWaiting(reference: string): Promise<Listed | undefined> {
  const [first] = await listKept(reference);
  return first;
}

/** Matches the first of it to a card. */
export async function matchKept(reference: string, card: string, ...more: string[]) {
  const { id = "" } = (await findWaiting(reference)) ?? {};
  return floatdeck("unmatched", "match", id, "--card", card, ...more);
}
