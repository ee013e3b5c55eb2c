import type { Sql } from "postgres";

/** Keeps a transaction that has written to cards open until `end` is called. */
export async function writeCards(client: Sql): Promise<{ end(): Promise<unknown> }> {
  const wrote = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const held = client.begin(async (tx) => {
    await tx`update cards set updated_at = now()`;
    wrote.resolve();
    await mayEnd.promise;
  });
  await wrote.promise;
  return {
    end: () => {
      mayEnd.resolve();
      return held;
    },
  };
}
