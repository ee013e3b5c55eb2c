import postgres from "postgres";
import { testDatabase } from "./database.ts";

/** Narratives that the database itself refuses: at once, and only when the transaction commits. */
export const POISON = "poison";
export const LATE_POISON = "late poison";

/** Has the database refuse transactions with these narratives. */
export async function refusePoison(): Promise<void> {
  const owner = connect();
  await owner.unsafe(`
    create function refuse_poison() returns trigger language plpgsql as $$
    begin raise exception 'poisoned'; end $$;
    create trigger poison before insert on transactions
      for each row when (new.narrative = '${POISON}') execute function refuse_poison();
    create constraint trigger late_poison after insert on transactions deferrable initially deferred
      for each row when (new.narrative = '${LATE_POISON}') execute function refuse_poison();`);
  await owner.end();
}

/** Has every batch that needs this account wait until it is let go. */
export async function holdAccount(accountId: string): Promise<() => void> {
  const owner = connect();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
  const holding = owner.begin(async (tx) => {
    await tx`select 1 from ledger_accounts where id = ${accountId} for update`;
    hold();
    await free;
  });
  void holding.finally(() => owner.end());
  await held;
  return letGo;
}

/** How many transactions of the database wrote events of this kind for an integrator. */
export async function countCommits(integratorId: string, event: string): Promise<number> {
  const owner = connect();
  const [row] = await owner`
    select count(distinct xid)::int as commits from events
    where integrator_id = ${integratorId} and event like ${event}`;
  await owner.end();
  return Number(row?.["commits"]);
}

function connect() {
  return postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
}
