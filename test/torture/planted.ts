/** A fault of the product, made on a copy of it, to see that something finds it. */
export interface PlantedFault {
  name: string;
  edits: readonly { file: string; before: string; after: string }[];
  /** The file of tests that finds it; without one, torture's checker does. */
  foundBy?: string;
}

/** Has PostgreSQL keep what it need not write at once in memory, for as long as it may. */
const LAZY = ["wal_writer_delay=10s", "wal_writer_flush_after=1GB"];

export const PLANTED: readonly PlantedFault[] = [
  {
    name: "a skipped lock",
    edits: [
      {
        file: "lib/ledger/internal/select-accounts.ts",
        before: '.for("no key update"),',
        after: ",",
      },
    ],
  },
  {
    name: "a lost event",
    edits: [
      {
        file: "lib/record/events.ts",
        before: "and e.switched_off_at is null\n",
        after: "and e.switched_off_at is null and random() < 0.9\n",
      },
    ],
  },
  {
    name: "an unkeyed retry",
    edits: [
      {
        file: "lib/api/commit/perform.ts",
        before: '  if (remembered.state === "free") {',
        after: '  if (remembered.state !== "expired") {',
      },
      {
        file: "lib/funds/funds.ts",
        before: "idempotencyKey: request.idempotencyKey ?? null,",
        after: "idempotencyKey: null,",
      },
    ],
  },
  {
    name: "an approval after a freeze",
    edits: [
      {
        file: "lib/purchases/authorizations.ts",
        before: "    status: account.status,\n",
        after:
          '    status: account.status === "frozen" && Math.random() < 0.5 ? "active" : account.status,\n',
      },
    ],
  },
  {
    name: "an early acknowledgement",
    edits: [
      {
        file: "lib/api/commit/perform.ts",
        before: "    inTransaction(database(), (tx) => performBatch(tx, calls, procedure)),",
        after: `    new Promise<AnswerOrBusy[]>((resolve, reject) => {
      inTransaction(database(), async (tx) => {
        const attempts = await performBatch(tx, calls, procedure);
        if (procedure.queue) {
          resolve(attempts);
          await new Promise((commit) => setTimeout(commit, 200));
        }
        return attempts;
      }).then(resolve, reject);
    }),`,
      },
    ],
  },
  {
    name: "a COMMIT that does not wait for the disk",
    edits: [
      {
        file: "db/durability.ts",
        before: "coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on')",
        after: "'off'",
      },
      {
        file: "test/torture/cluster.ts",
        before: "await startEmbedded(dir);",
        after: `await startEmbedded(dir, ${JSON.stringify([...LAZY, "synchronous_commit=off"])});`,
      },
    ],
  },
  {
    name: "a doubled delivery",
    foundBy: "lib/webhooks/worker.test.ts",
    edits: [
      {
        file: "lib/webhooks/internal/record.ts",
        before: "when row.failure is null then 'delivered' when",
        after:
          "when row.failure is null and d.attempts = 1 then 'pending' when row.failure is null then 'delivered' when",
      },
    ],
  },
  {
    name: "an approval while another level stands",
    foundBy: "lib/cards/freeze-levels.test.ts",
    edits: [
      {
        file: "lib/cards/freezes.ts",
        before: "before.freezes.filter(({ level }) => level !== lift.level)",
        after: "before.freezes.filter(() => lift.level === null)",
      },
    ],
  },
  {
    name: "a cover that is not returned",
    foundBy: "lib/purchases/refunds.test.ts",
    edits: [
      {
        file: "lib/purchases/refunds.ts",
        before: "decideCoverReturns(ctx, refunded.named, Math.min(amount, left))",
        after: "decideCoverReturns(ctx, refunded.named, 0 * Math.min(amount, left))",
      },
    ],
  },
  {
    name: "a hold that is kept after it expired",
    foundBy: "lib/purchases/hold-expiry.test.ts",
    edits: [
      {
        file: "lib/purchases/holds.ts",
        before: "if (hold.open === 0 || !hold.expired) {",
        after: "if (hold.open > 0 || !hold.expired) {",
      },
    ],
  },
  {
    name: "another tenant's row",
    foundBy: "lib/operations/refusals.test.ts",
    edits: [
      {
        file: "lib/cards/card-reads.ts",
        before: `          eq(cards.integratorId, sql.placeholder("integratorId")),
          sql\`\${cards.id} = any(`,
        after: `          sql\`\${sql.placeholder("integratorId")}::uuid is not null\`,
          sql\`\${cards.id} = any(`,
      },
    ],
  },
  {
    name: "a page without its role check",
    foundBy: "lib/access/roles.test.ts",
    edits: [
      {
        file: "lib/access/roles.ts",
        before: "  if (ROLE_SCOPES[role].includes(scope)) {",
        after: '  if (role !== "viewer" || scope) {',
      },
    ],
  },
  {
    name: "a stale answer that is replayed",
    foundBy: "lib/api/commit/idempotency.test.ts",
    edits: [
      {
        file: "lib/api/commit/perform.ts",
        before: "  return isSameRequest(key, remembered) ? remembered.answer : refuse(",
        after: "  return key.name ? remembered.answer : refuse(",
      },
    ],
  },
  {
    name: "a dropped guard",
    foundBy: "db/guards.test.ts",
    edits: [
      {
        file: "db/migrations/0001_guards.sql",
        before: `create trigger entries_checked after insert on entries
  referencing new table as added
  for each statement execute function check_entries();`,
        after: "select 1;",
      },
    ],
  },
  {
    name: "an event without its audit row",
    foundBy: "lib/webhooks/event-documents.test.ts",
    edits: [
      {
        file: "lib/cards/card-issue.ts",
        before: "  await recordAudit(tx, integrator.integratorId, [",
        after: "  await Promise.resolve([",
      },
    ],
  },
];
