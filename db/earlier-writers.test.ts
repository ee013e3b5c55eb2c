import { expect, test } from "vitest";
import { openDatabase } from "./client.ts";
import { awaitEarlierWriters } from "./earlier-writers.ts";

test("while the database is down, waiting for earlier writers fails as unavailable and not as a defect", async () => {
  const away = openDatabase("postgres://nobody:x@127.0.0.1:41099/none", { max: 1 });
  await expect(awaitEarlierWriters(away.db, "integrators")).rejects.toMatchObject({
    code: "database_unavailable",
  });
  await away.close();
});
