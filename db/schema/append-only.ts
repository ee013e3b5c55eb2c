/**
 * Tables whose rows never change. The restricted role has only SELECT and INSERT on them, and a trigger
 * refuses everything else to everyone, including the owner.
 */
export const APPEND_ONLY: readonly string[] = [
  "transfers",
  "entries",
  "events",
  "audit_log",
  "card_state_changes",
  "processor_operations",
];
