import type { Sql } from "postgres";
import { newId } from "#lib/base/ids.ts";

/** What an attacker who owns the tables tries to do to card transactions. */

/** Adds a transaction like another one, but for some columns. Returns the database's refusal. */
export async function attackWithCopy(owner: Sql, columns: object, id: string): Promise<string> {
  const changed = { id: newId(), ...columns };
  try {
    await owner`
      insert into transactions
      select copy.* from transactions x
      cross join lateral jsonb_populate_record(x, ${owner.json(changed)}) copy where x.id = ${id}`;
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Changes a transaction directly. Returns the database's refusal. */
export async function attack(owner: Sql, set: string, id: string): Promise<string> {
  try {
    await owner.unsafe(`update transactions set ${set} where id = '${id}'`);
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
