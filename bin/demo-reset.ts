import { mkdirSync } from "node:fs";
import { readEnv } from "#lib/base/env.ts";
import { listIntegrators, OPERATOR_LIST_MAX } from "#lib/operator/operator.ts";
import { emptyDatabase } from "#db/empty.ts";
import { migrate } from "#db/migrate.ts";
import type { Db } from "#db/client.ts";
import type { Command, Input, Result } from "./command.ts";
import { withDatabase, withInstallationAt } from "./installation.ts";
import type { Environment } from "./installation.ts";
import { makeDemo, toCredentialLines } from "./kept-demo.ts";

const NAMED_MAX = 5;

/** Empties a sandbox that nobody serves, and makes another demo in it. */
export const DEMO_RESET: Command = {
  words: ["demo", "reset"],
  summary: "Remove everything in a sandbox, and make another demo; stop its servers first",
  options: { yes: { about: "really remove everything", fallback: "", isFlag: true } },
  run: resetDemo,
};

async function resetDemo(environment: Environment, { options }: Input): Promise<Result> {
  const settings = readEnv(environment);
  if (settings.environment === "live") {
    throw new Error("A live installation is never emptied: demo reset is for sandboxes.");
  }
  return withDatabase(settings, async (database) => {
    const contents = await withInstallationAt(database, settings, ({ db }) => listContents(db));
    if (options["yes"] === "") {
      return {
        ok: false,
        text: `This removes everything in this sandbox: ${contents}, and all cards, transactions, people, keys, and logs.\nNothing was removed. To remove it, add --yes.`,
        json: { removed: false, contents },
      };
    }
    await emptyDatabase(database.ownerUrl);
    await migrate(database.ownerUrl, database.appRole);
    mkdirSync(settings.dataDir, { recursive: true, mode: 0o755 });
    const place = { dataDir: settings.dataDir, ownerUrl: database.ownerUrl };
    const demo = await withInstallationAt(database, settings, ({ db }) => makeDemo(db, place));
    if (!demo) {
      throw new Error(
        "The sandbox was emptied, and a server that has started meanwhile made the demo; it printed the credentials.",
      );
    }
    return {
      text: [
        `Removed ${contents}. A new demo was made:`,
        `  Sign in as        ${demo.email}`,
        ...toCredentialLines(demo, settings.dataDir),
        "Start the server with npm start.",
      ].join("\n"),
      json: { removed: true, contents, ...demo },
    };
  });
}

/** What a sandbox contains, in words. */
async function listContents(db: Db): Promise<string> {
  const rows = await listIntegrators(db, undefined);
  const names = rows.slice(0, NAMED_MAX).map(({ businessName }) => businessName);
  const others = rows.length - names.length;
  const more = rows.length === OPERATOR_LIST_MAX ? `at least ${others}` : String(others);
  const all = others > 0 ? [...names, `${more} more`] : names;
  return all.length === 0
    ? "no integrator"
    : `${rows.length === 1 ? "the integrator" : "the integrators"} ${all.join(", ")}`;
}
