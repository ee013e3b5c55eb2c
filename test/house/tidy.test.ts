import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

/** Rules that a linter cannot check. Each rule is also run on a file that breaks it, to prove that it works. */

const ROOT = path.join(import.meta.dirname, "../..");
const SOURCES = globSync("{app,bench,bin,db,lib,test}/**/*.{ts,tsx}", { cwd: ROOT }).map(
  (name) => ({
    name,
    text: readFileSync(path.join(ROOT, name), "utf8"),
  }),
);
const isTest = (name: string) => /\.test\.ts$|^test\//u.test(name);

interface Rule {
  promise: string;
  /** The places in a file that break it. */
  find(name: string, text: string): string[];
  /** A file that breaks it. */
  broken: { name: string; text: string };
}

function onlyIn(allowed: readonly string[], pattern: RegExp): Rule["find"] {
  return (name, text) =>
    allowed.some((place) => name.startsWith(place)) ? [] : (text.match(pattern) ?? []);
}

/** Rows of these belong to one integrator. */
const TENANT_TABLES =
  "ledger_?accounts|transfers|entries|cards|card_?state_?changes|personal_?values|transactions|events|audit_?log|idempotent_?requests|cardholders|staff|webhook_?endpoints|webhook_?previous_?secrets|webhook_?deliveries|webhook_?attempts|sandbox_?inboxes|inbox_?notifications|bulk_?jobs|bulk_?items|saved_?views|messages|approvals|unapproved_?moves";

/** The file with the only statement that inserts into each of these tables. */
const WRITTEN_ONCE: Readonly<Record<string, string>> = {
  transfers: "lib/ledger/post.ts",
  entries: "lib/ledger/post.ts",
  transactions: "lib/transactions/write-changes.ts",
  events: "lib/record/events.ts",
  audit_log: "lib/record/audit.ts",
  personal_values: "lib/record/personal-values.ts",
};

/** Files whose statements cover the whole installation, and why. */
const INSTALLATION_WIDE: Readonly<Record<string, string>> = {
  "lib/ledger/verify.ts": "checks the books of all integrators",
  "lib/overview/rollup.ts": "adds up all movements, by integrator",
  "lib/ledger/monitor.ts": "marks every integrator whose books do not balance",
  "lib/staff/staff-emails.ts": "finds a person who signs in, before their integrator is known",
  "lib/purchases/hold-expiry.ts": "finds the expired holds of all integrators",
  "lib/processor/context.ts": "finds the integrator of a card",
  "lib/webhooks/internal/claim.ts": "a worker claims the due deliveries of all integrators",
  "lib/webhooks/internal/record.ts": "records a worker's attempts, at endpoints of all integrators",
  "lib/webhooks/inbox-receive.ts": "finds the inbox that an address belongs to",
  "lib/webhooks/internal/liveness.ts": "releases the claims of a worker, for all integrators",
  "lib/webhooks/waiting-endpoints.ts":
    "which endpoints wait, for workers and for the operator's figures",
  "lib/messages/internal/claim.ts": "a worker claims the due messages of all integrators",
  "lib/approvals/expire-approvals.ts": "finds the due approvals of all integrators",
  "lib/bulk/bulk-runner.ts": "finds the running jobs of all integrators",
  "lib/webhooks/internal/tell-of-endpoint.ts": "finds the integrator of a worker's endpoint",
  "lib/operator/retention.ts": "removes the expired rows of all integrators",
  "lib/operator/figures.ts": "counts deliveries and checks of the whole installation",
  "lib/operator/sealed-samples.ts": "opens sealed values of any integrators, to check the secret",
};

/**
 * Files with a transaction that notifies other servers. A commit that notifies waits for every other one that does, so none
 * of these files moves funds.
 */
const NOTIFIERS = [
  "lib/access/credential-changes.ts",
  "lib/access/api-keys.ts",
  "lib/integrators/integrators.ts",
  "lib/operator/operator.ts",
  "lib/staff/staff.ts",
];

const RULES: readonly Rule[] = [
  {
    promise: "a plan by index is asked for with BY_INDEX, which keeps PostgreSQL from compiling it",
    find: (name, text) =>
      isTest(name) ? [] : onlyIn(["db/by-index.ts"], /\benable_seqscan\b/gu)(name, text),
    broken: { name: "lib/x.ts", text: "sql`select set_config('enable_seqscan', 'off', true)`" },
  },
  {
    promise: "only lib/ledger/post.ts updates accounts, except the benchmark's bulk inserts",
    find: onlyIn(
      ["lib/ledger/post.ts", "bench/"],
      /update ledger_accounts\b|update\(ledgerAccounts\)/giu,
    ),
    broken: { name: "lib/x.ts", text: "tx.execute(sql`update ledger_accounts set held = 1`)" },
  },
  {
    promise:
      "one statement inserts each kind of record of a change, except the benchmark's bulk inserts",
    find: (name, text) => (name.startsWith("bench/") ? [] : findSecondInserts(name, text)),
    broken: {
      name: "lib/record/events.ts",
      text: "tx.execute(sql`insert into events select`); tx.insert(events).values(row);",
    },
  },
  {
    promise: "records take their ids from a moment of the database's clock",
    find: onlyIn(
      [
        // Ids of requests, keys, and processes. No list is ordered by them.
        "app/client/use-operation.ts",
        "app/(dashboard)/cards/status-change.ts",
        "app/(dashboard)/developers/api-log/[id]/send-again-dialog.tsx",
        "bench/",
        "lib/auth/next-auth.ts",
        "lib/cards/card-status.ts",
        "lib/clock/clock-move.ts",
        "lib/messages/mail-check.ts",
        "lib/operator/announce-restore.ts",
        "lib/operator/demo.ts",
        "lib/operator/internal/demo-scene.ts",
        "lib/webhooks/endpoints.ts",
        "lib/purchases/hold-expiry.ts",
        "lib/transactions/idle-freeze.ts",
        "lib/staff/internal/sign-in-throttle.ts",
        "lib/webhooks/worker.ts",
      ],
      /import \{[^}]*\bnewId\b[^}]*\} from "#lib\/base\/ids\.ts"/gu,
    ),
    broken: { name: "lib/x.ts", text: 'import { isId, newId } from "#lib/base/ids.ts";' },
  },
  {
    promise: "only the demo records a past",
    find: onlyIn(["db/past.ts", "lib/operator/demo.ts"], /\binPast\(/gu),
    broken: { name: "lib/funds/funds.ts", text: "return inPast(db, DAY_MS, work);" },
  },
  {
    promise: "only a transaction in the past, and its savepoints, get a clock of their own",
    find: onlyIn(
      ["db/past.ts", "db/past-clock.ts", "db/transaction.ts"],
      /\b(?:setPastClock|new PastClock)\(/gu,
    ),
    broken: { name: "lib/operator/demo.ts", text: "setPastClock(tx, clock);" },
  },
  {
    promise: "only db/transaction.ts opens transactions",
    find: onlyIn(["db/transaction.ts"], /\.transaction\(/gu),
    broken: { name: "lib/x.ts", text: "await db.transaction(work)" },
  },
  {
    promise: "only a change of credentials or settings notifies, never one of money",
    find: (name, text) => [
      ...onlyIn(
        ["lib/access/credential-changes.ts", "bin/doctor/listen-check.ts"],
        /\bpg_notify\b|sql`\s*notify\b|\.notify\(/giu,
      )(name, text),
      ...onlyIn(NOTIFIERS, /\bannounceCredentialChange\b/gu)(name, text),
    ],
    broken: { name: "lib/funds/funds.ts", text: "await announceCredentialChange(tx, actor);" },
  },
  {
    promise: "only lib/base/env.ts, the time limits, and the commands read the environment",
    find: onlyIn(
      [
        "lib/base/env.ts",
        "db/time-limits.ts",
        "bin/",
        "bench/",
        "lib/api/client-package/source/command/",
      ],
      /process\.env/gu,
    ),
    broken: { name: "lib/x.ts", text: "process.env.PORT" },
  },
  {
    promise:
      "every limit of time is in db/time-limits.ts, but for a client's and for how long migrations queue up",
    find: onlyIn(
      [
        "db/time-limits.ts",
        "db/lock-wait.ts",
        "app/client/",
        "lib/api/client.ts",
        "lib/api/client-package/",
        "bench/",
      ],
      /\b[A-Z_]*TIMEOUT_M?S = |_timeout: [\d_]+|[Tt]imeout\([\d_]+\)|\btimeoutMs: [\d_]+|\b(?:STOP|DRAIN|WAIT|SILENT)_MAX_M?S = /gu,
    ),
    broken: { name: "lib/x.ts", text: "const READ_TIMEOUT_MS = 2_200;" },
  },
  {
    promise: "every query names its integrator",
    find: (name, text) => (name in INSTALLATION_WIDE ? [] : findTenantless(text)),
    broken: { name: "lib/x.ts", text: "db.select().from(cards).where(eq(cards.id, id));" },
  },
  {
    promise: "imports across folders go by #app, #db and #lib, where the linter's layers see them",
    find: (name, text) =>
      (text.match(/from "(?:\.\.\/)+[^"]*"/gu) ?? []).filter((found) => leavesFolder(name, found)),
    broken: { name: "lib/x.ts", text: 'import { database } from "../db/client.ts";' },
  },
  {
    promise:
      "no file is called utils, helpers, common, misc, manager, service, data, info or types",
    find: (name) =>
      /(?:^|[/-])(?:utils?|helpers?|common|misc|manager|service|data|info|types)\.tsx?$/u.test(name)
        ? [name]
        : [],
    broken: { name: "lib/card-utils.ts", text: "" },
  },
  {
    promise: "nothing asks Intl which currencies exist, or how many decimals one has",
    find: onlyIn([], /\bresolvedOptions\b|\bsupportedValuesOf\(\s*["'`]currency/gu),
    broken: {
      name: "lib/base/money.ts",
      text: 'new Intl.NumberFormat("en-US", FORMAT).resolvedOptions().maximumFractionDigits',
    },
  },
  {
    promise: "only lib/base/money.ts writes an amount with its currency",
    find: onlyIn(["lib/base/money.ts"], /\bstyle:\s*["'`]currency|\bcurrencyDisplay:/gu),
    broken: { name: "app/x.tsx", text: '(5).toLocaleString("en-US", { style: "currency" })' },
  },
  {
    promise: "every page of the dashboard names the person it was made for",
    find: (name, text) =>
      /^app\/\(dashboard\)\/.*\/page\.tsx$/u.test(name) &&
      !/^export default personalPage\(/mu.test(text)
        ? [name]
        : [],
    broken: {
      name: "app/(dashboard)/cards/page.tsx",
      text: "export default async function CardsPage() { return null; }",
    },
  },
  {
    promise: "a route file only binds",
    find: (name, text) =>
      name.endsWith("/route.ts") && text.split("\n").length > 30 ? [name] : [],
    broken: { name: "app/api/x/route.ts", text: "\n".repeat(40) },
  },
];

/** Whether a relative import leads to another top-level folder. */
function leavesFolder(name: string, found: string): boolean {
  const target = path.normalize(path.join(path.dirname(name), found.slice('from "'.length, -1)));
  return target.split("/")[0] !== name.split("/")[0];
}

/** Inserts other than the one in the table's own file. */
function findSecondInserts(name: string, text: string): string[] {
  return Object.entries(WRITTEN_ONCE).flatMap(([table, place]) => {
    const inserts = text.match(
      new RegExp(
        String.raw`insert into ${table}\b|insertRows\("${table}"|\.insert\(${table.replace("_", "_?")}\)`,
        "giu",
      ),
    );
    return (inserts ?? []).slice(name === place ? 1 : 0);
  });
}

/** Statements on tenant tables that do not mention the integrator: from the builder, and in plain SQL. */
function findTenantless(text: string): string[] {
  const built =
    text.match(
      new RegExp(
        String.raw`(?:\.(?:from|update|delete)\((?:${TENANT_TABLES})\)|insertRows\("(?:${TENANT_TABLES})")[\s\S]*?;`,
        "giu",
      ),
    ) ?? [];
  const plain =
    text.match(
      new RegExp(
        String.raw`sql\x60[^\x60]*\b(?:from|update|into|join)\s+(?:${TENANT_TABLES})\b[^\x60]*\x60`,
        "giu",
      ),
    ) ?? [];
  return [...built, ...plain].filter(
    (statement) => !/integrator_?id|integrators\.id/iu.test(statement),
  );
}

describe.each(RULES)("$promise", (rule) => {
  test("everywhere", () => {
    const found = SOURCES.filter(({ name }) => !isTest(name)).flatMap(({ name, text }) =>
      rule.find(name, text).map((place) => `${name}: ${place.slice(0, 120)}`),
    );
    expect(found).toEqual([]);
  });

  test("and a file that breaks it is found", () => {
    expect(rule.find(rule.broken.name, rule.broken.text)).not.toEqual([]);
  });
});
