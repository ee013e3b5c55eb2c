import postgres from "postgres";
import type { Rig } from "./rig.ts";

/** Keeps a statement's locks until the function that it returns is called. */
export async function hold({ database }: Rig, statement: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  const freed = Promise.withResolvers<void>();
  const connection = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  const holding = connection.begin(async (tx) => {
    await tx.unsafe(statement);
    held.resolve();
    await freed.promise;
  });
  void holding.catch(() => undefined).finally(() => connection.end({ timeout: 0 }));
  await held.promise;
  return () => freed.resolve();
}
