import { createHash } from "node:crypto";
import { bundleClient, PLACES } from "#lib/api/client-package/bundle-client.mjs";
import type { Operation } from "#lib/operations/operation.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { queryOf, declareContract } from "#lib/api/client-package/internal/declare-contract.ts";
import type { Document } from "#lib/api/client-package/internal/document.ts";
import {
  isForClients,
  toClientLine,
  toClientName,
  toClientPath,
} from "#lib/api/client-package/internal/operation-names.ts";
import { withNamedWords } from "#lib/api/client-package/internal/named-words.ts";
import type { ClientContract } from "#lib/api/client-package/source/request.ts";
import { toCommonJs } from "#lib/api/client-package/internal/common-js.ts";
import { toTarball } from "#lib/api/client-package/internal/tarball.ts";
import { TRIGGERS } from "#lib/events/events.ts";
import { toOpenApi } from "#lib/api/openapi.ts";
import { toWholeDocument } from "#lib/api/openapi/whole-document.ts";
import { API_VERSION_NEWEST } from "#lib/base/api-versions.ts";
import { env } from "#lib/base/env.ts";

/** The client library of this server, as a package for `npm install`. */
export interface ClientPackage {
  /** Where it is served: its name contains its version and a hash of its bytes. */
  path: `/client-${string}.tgz`;
  bytes: Buffer;
}

const HASH_LENGTH = 16;

let made: Promise<ClientPackage> | undefined;

/**
 * The package for this server's contract and address, made when it is first needed, and again if that failed. The same
 * contract always makes the same bytes.
 */
export function clientPackage(): Promise<ClientPackage> {
  made ??= toClientPackage(env().publicUrl).catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}

export async function toClientPackage(publicUrl: string): Promise<ClientPackage> {
  const bytes = toTarball(await toClientFiles(publicUrl));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, HASH_LENGTH);
  return { path: `/client-${API_VERSION_NEWEST}-${hash}.tgz`, bytes };
}

/** The contract as the client needs it to perform operations. */
export function toClientContract(
  publicUrl: string,
  document = toDocument(publicUrl),
): ClientContract {
  const byNoun = Object.groupBy(
    clientOperations(),
    (each) => toClientName(each).split(".")[0] ?? "",
  );
  const operations = Object.entries(byNoun).map(([noun, all = []]) => [
    noun,
    toNounText(document, all),
  ]);
  return {
    apiVersion: API_VERSION_NEWEST,
    baseUrl: `${publicUrl}/api`,
    operations: Object.fromEntries(operations),
  };
}

/** The operations of a noun, below the beginning of a path that makes their text the shortest. */
function toNounText(document: Document, operations: readonly Operation[]): string {
  const lines = operations.map((each) => toClientLine(each, queryOf(document, each)));
  const texts = operations
    .map(toClientPath)
    .flatMap((path) => Array.from(path, (_, at) => path.slice(0, at + 1)))
    .map((base) => [base, ...lines.map((line) => shorten(line, base))].join(";"));
  const [shortest = ""] = texts.toSorted((one, other) => one.length - other.length);
  return shortest;
}

function shorten(line: string, base: string): string {
  return (
    line
      .replace(` ${base}`, " ~")
      .replace(/ POST$/u, " P")
      .replace(/ PATCH$/u, " C")
      .replace(/ cursor$/u, " K")
      .replace(/ file$/u, " F")
      // Most changes are named as their paths end.
      .replace(/^(?<verb>\w+)(?<path> \S+\/)\k<verb>(?!\S)/u, "$<verb>$<path>%")
  );
}

/** The files of the package by their names. */
export async function toClientFiles(publicUrl: string): Promise<Record<string, string>> {
  const document = toDocument(publicUrl);
  const contract = toClientContract(publicUrl, document);
  const { index, command, types } = await bundleClient();
  const library = index
    .replace(PLACES.contract, () => toLiteral(contract))
    .replace(PLACES.url, () => publicUrl);
  // Similar files are adjacent, which compresses best.
  return {
    "contract.d.cts": declareContract(document, clientOperations()),
    "index.d.cts": `${types}export type * from "./contract.cjs";\n`,
    "index.d.ts": `export * from "./index.cjs";\n`,
    "README.md": toReadme(publicUrl),
    "package.json": `${JSON.stringify(MANIFEST, null, 2)}\n`,
    "floatdeck.js": `#!/usr/bin/env node\n${command.replace(PLACES.triggers, () => JSON.stringify(TRIGGERS))}`,
    "index.js": library,
    "index.cjs": toCommonJs(library),
  };
}

/** As JavaScript, whose names need no quotation marks. */
function toLiteral(contract: ClientContract): string {
  return JSON.stringify(contract).replaceAll(/"(?<name>\w+)":/gu, "$<name>:");
}

function toReadme(publicUrl: string): string {
  return `# Floatdeck

The client library and command of the Floatdeck server at ${publicUrl}. It has no dependencies, and runs on Node.js 20 or newer.

\`\`\`js
const { Floatdeck } = await import("floatdeck");

const client = new Floatdeck({ apiKey: "fd_test_…" });
const [card] = await client.cards.list({ status: "active", limit: 1 });
await client.cards.freeze(card.id, { reason: "lost" });
\`\`\`

- The client library: ${publicUrl}/docs/client
- The reference, with a call for each operation: ${publicUrl}/docs/api
- Webhooks on your machine: \`npx floatdeck listen --forward-to http://localhost:4000/hooks\`
`;
}

const MANIFEST = {
  name: "floatdeck",
  version: API_VERSION_NEWEST,
  description: "Client library and command of a Floatdeck server.",
  private: true,
  license: "UNLICENSED",
  type: "module",
  engines: { node: ">=20" },
  bin: { floatdeck: "floatdeck.js" },
  main: "index.cjs",
  types: "index.d.cts",
  exports: {
    ".": {
      import: { types: "./index.d.ts", default: "./index.js" },
      require: { types: "./index.d.cts", default: "./index.cjs" },
    },
    "./package.json": "./package.json",
  },
};

function clientOperations() {
  return OPERATIONS.filter(isForClients);
}

function toDocument(publicUrl: string): Document {
  // The document is JSON, so a keyword that a schema lacks is undefined.
  return withNamedWords(JSON.parse(toWholeDocument(toOpenApi(publicUrl))));
}
