/** A fault of the product, made on a copy of it, to see that the checker finds it. */
export interface PlantedFault {
  name: string;
  edits: readonly { file: string; before: string; after: string }[];
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
];
