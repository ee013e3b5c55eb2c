import { createServer } from "node:net";
import { buildPages } from "./build-pages.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { watchEmbedded } from "./embedded-watch.ts";
import { makeDemo, readKeptDemo, toCredentialLines } from "./kept-demo.ts";
import { prepareOwnDatabase, requireListenUrl, RESTORED } from "./own-database.ts";
import { findProxyFault } from "./proxy-fault.ts";
import { setSecret } from "./secret.ts";
import { startServer } from "./server.ts";
import { waitForDatabase } from "./wait-for-database.ts";
import type { Demo } from "#lib/operator/demo.ts";
import { clientPackage } from "#lib/api/client-package/package.ts";
import { env, readEnv, requireServable } from "#lib/base/env.ts";
import type { Env } from "#lib/base/env.ts";
import { keepPublicUrl, requireSameInstallation } from "#lib/operator/installation.ts";
import { joinInstallation } from "#lib/operator/processes.ts";
import { log, logStart } from "#lib/base/log.ts";
import { beginStopping, STOP_SIGNALS } from "#lib/base/lifecycle.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import { startEmbedded } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { ROOT } from "#db/root.ts";
import type { Migrated } from "#db/migrate.ts";

const mode = process.argv.includes("--dev") ? "dev" : "production";
/** Tests need neither the demo nor, often, the pages, and start much faster without them. */
const makesDemo = !process.argv.includes("--empty");
const servesPages = !process.argv.includes("--api-only");

/** Cleans up what was started, last first. */
const cleanUps: (() => Promise<void> | void)[] = [];
let stopping = false;

process.on("uncaughtException", (error) => void fail(error));
process.on("unhandledRejection", (error) => void fail(error));
for (const signal of STOP_SIGNALS) {
  process.on(signal, () => void stop(0));
}

try {
  await start();
} catch (error) {
  process.stderr.write(`floatdeck: ${toSentence(error)}\n`);
  await stop(1);
}

async function start(): Promise<void> {
  process.chdir(ROOT);
  // Report invalid settings before changing anything.
  const settings = readEnv(process.env);
  requireServable(settings);
  logStart();
  cleanUps.push(lockDataDir(settings.dataDir));
  await refuseTakenPort(settings);
  setSecret(settings);
  // Where next-auth redirects people, and whether its cookies require https.
  process.env["NEXTAUTH_URL"] = settings.publicUrl;
  const built = beginBuild();
  const { appUrl, ownerUrl, dataPlace } = await connect(settings);
  const demo = makesDemo
    ? await waitForDatabase(say, () => prepareDemo(settings, ownerUrl))
    : undefined;
  // From here on, the installation counts as served.
  await waitForDatabase(say, () => keepPublicUrl(database(), settings));
  const server = await startServer({ mode, databaseUrl: appUrl, dataPlace });
  cleanUps.push(() => server.stop());
  greetPrograms(settings, demo);
  if (servesPages) {
    if (!(await isBuilt(built))) {
      return;
    }
    await server.startPages();
  }
  if (!stopping) {
    await greetPeople(settings, demo);
  }
}

/** Builds the pages if that is needed, while the API starts: payments do not wait for them. */
function beginBuild(): Promise<void> {
  if (mode === "dev" || !servesPages) {
    return Promise.resolve();
  }
  const ending = new AbortController();
  cleanUps.push(() => ending.abort());
  const built = buildPages(say, ending.signal);
  // A failure is reported once the API serves.
  built.catch(() => undefined);
  return built;
}

/** Whether the pages can be served. If not, the API serves on without them. */
async function isBuilt(built: Promise<void>): Promise<boolean> {
  try {
    await built;
    return true;
  } catch (error) {
    if (!stopping) {
      say(toSentence(error));
      say("The API serves without the dashboard. Start again to build its pages again.");
    }
    return false;
  }
}

async function refuseTakenPort({ host, port }: Env): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(port, host, resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}

/** How the database is reached. */
interface Place {
  /** As the server's role. */
  appUrl: string;
  /** As the role that owns the tables. */
  ownerUrl: string;
  /** Where the embedded PostgreSQL keeps its data; absent for another one. */
  dataPlace?: string;
}

async function connect(settings: Env): Promise<Place> {
  const { databaseUrl, databaseMigrationUrl } = settings;
  let place: Place;
  if (databaseUrl) {
    const own = { databaseUrl, databaseMigrationUrl };
    reportRestored(await waitForDatabase(say, () => prepareOwnDatabase(own, say)));
    await waitForDatabase(say, () => requireListenUrl(settings));
    place = { appUrl: databaseUrl, ownerUrl: databaseMigrationUrl ?? databaseUrl };
  } else {
    say("Starting the embedded PostgreSQL …");
    const embedded = await startEmbedded(settings.dataDir);
    cleanUps.push(() => embedded.stop());
    const watch = watchEmbedded(embedded, (error) => void fail(error));
    cleanUps.push(() => watch.stop());
    const { localUrl, ownerUrl, appRole, data } = embedded;
    reportRestored(await waitForDatabase(say, () => migrate(ownerUrl, appRole)));
    place = { appUrl: localUrl, ownerUrl, dataPlace: data };
  }
  configureDatabase(place.appUrl);
  cleanUps.push(closeDatabase);
  await waitForDatabase(say, () => requireSameInstallation(database(), settings));
  const joined = await waitForDatabase(say, () => joinInstallation(database(), "server"));
  cleanUps.push(() => joined.leave());
  return place;
}

function reportRestored({ isRestored }: Migrated): void {
  if (isRestored) {
    say(RESTORED);
  }
}

async function prepareDemo(
  { environment, dataDir }: Env,
  ownerUrl: string,
): Promise<Demo | undefined> {
  if (environment === "live") {
    return undefined;
  }
  return (await makeDemo(database(), { dataDir, ownerUrl })) ?? readKeptDemo(dataDir);
}

/** Tells programs that the API answers, which may be a minute before pages do. */
function greetPrograms({ publicUrl }: Env, demo: Demo | undefined): void {
  say(`The API is ready on ${publicUrl}/api.`);
  const proxyFault = findProxyFault(env());
  if (proxyFault) {
    say(`Warning: ${proxyFault}`);
  }
  if (demo) {
    write([
      "  For the examples of the guides, paste this into another terminal:",
      `    export BASE_URL='${publicUrl}/api' API_KEY='${demo.apiKey}' CARD_ID='${demo.cardId}'`,
      ...toExamples(demo).flatMap(([purpose, call, body]) => [
        "",
        `  ${purpose}:`,
        `    curl -X PATCH '${publicUrl}/api${call}' -H 'Authorization: Bearer ${demo.apiKey}'${toBody(body)}`,
      ]),
    ]);
  }
}

async function greetPeople(
  { publicUrl, environment, dataDir }: Env,
  demo: Demo | undefined,
): Promise<void> {
  const { port, host } = env();
  say(`Ready on ${publicUrl} (${environment}, listening on ${host}:${port}).`);
  if (!demo) {
    return;
  }
  const clientUrl = `${publicUrl}${(await clientPackage()).path}`;
  write([
    `  Sign in           ${publicUrl}/sign-in`,
    `    as              ${demo.email}`,
    ...toCredentialLines(demo, dataDir),
    `  Quick start       ${publicUrl}/docs/quick-start`,
    `  Client library    npm install ${clientUrl}`,
    `  Webhooks here     npx ${clientUrl} listen --forward-to http://localhost:4000/hooks`,
  ]);
}

function write(lines: readonly string[]): void {
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}

/** The main flow, call by call: the purpose, the path below the base URL, and the body. */
function toExamples({ cardId }: Demo): [string, string, object | null][] {
  return [
    ["Credit a card with $20.00", "/cards/credit/balance", { card_id: cardId, amount: 2_000 }],
    ["Freeze it", `/cards/${cardId}/freeze`, null],
    [
      "Withdraw everything on it to the float",
      "/cards/debit/balance",
      { card_id: cardId, amount: "all" },
    ],
    ["Unfreeze it", `/cards/${cardId}/unfreeze`, null],
    ["Top up the float with $1,000.00", "/card-integrators/top-up-float", { amount: 100_000 }],
    ["Update the account", "/card-integrators/update", { domain: "cards.harbourfinch.example" }],
  ];
}

function toBody(body: object | null): string {
  return body ? ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'` : "";
}

async function fail(error: unknown): Promise<void> {
  log.fatal({ err: error }, "The server failed unexpectedly and stops.");
  beginStopping();
  await stop(1);
}

async function stop(exitCode: number): Promise<void> {
  if (stopping) {
    return;
  }
  stopping = true;
  for (const cleanUp of cleanUps.toReversed()) {
    try {
      await cleanUp();
    } catch (error) {
      log.error({ err: error }, "The server did not stop cleanly.");
    }
  }
  process.exit(exitCode);
}

function toSentence(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  // The error's own code: one of our errors may have another as its cause.
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return `Port ${env().port} is in use; stop the program that uses it, or set PORT.`;
  }
  if (code === "EACCES") {
    return `This account may not use port ${env().port} or a file: ${error.message}`;
  }
  // The cause of a failed statement is the database's own error.
  const isStatement = error.message.startsWith("Failed query") && error.cause instanceof Error;
  return isStatement ? toSentence(error.cause) : error.message;
}

function say(text: string): void {
  process.stdout.write(`floatdeck: ${text}\n`);
}
