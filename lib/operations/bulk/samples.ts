import { IDS, KEY_ACTOR } from "#lib/api/contract/samples.ts";

export const BULK_JOB = {
  id: IDS.bulkJob,
  operation: "freeze",
  mode: "each",
  check: false,
  changed_by: null,
  reason: "internal_review",
  level: "cardholder",
  until: null,
  spending_controls: null,
  state: "running",
  total: 2,
  done: 0,
  unchanged: 0,
  refused: 0,
  canceled: 0,
  amount: 0,
  actor: KEY_ACTOR,
  created_at: "2026-11-21T08:10:00.000Z",
  ended_at: null,
};

export const ENDED_JOB = {
  ...BULK_JOB,
  state: "completed",
  total: 1,
  done: 1,
  ended_at: "2026-11-21T08:10:00.120Z",
};
