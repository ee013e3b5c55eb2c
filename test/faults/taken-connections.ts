import postgres from "postgres";

/** Takes every connection that PostgreSQL has left for this URL's role, until the returned function is called. */
export async function takeConnections(url: string): Promise<() => Promise<void>> {
  const [row] = await ask(url);
  const max = Number(row?.["max"]);
  const others = postgres(url, { max, onnotice: () => undefined });
  // PostgreSQL refuses more than it has left. The test needs it to be exactly full.
  await Promise.allSettled(Array.from({ length: max }, () => others`select pg_sleep(1)`));
  return () => others.end();
}

async function ask(url: string): Promise<postgres.RowList<postgres.Row[]>> {
  const one = postgres(url, { max: 1 });
  try {
    return await one`select current_setting('max_connections') as max`;
  } finally {
    await one.end();
  }
}
