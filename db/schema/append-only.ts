/**
 * Tables whose rows never change: the restricted role is granted SELECT and INSERT on them and nothing else, and a
 * trigger refuses the rest to everyone, the owner included.
 */
export const APPEND_ONLY: readonly string[] = [
  "transfers",
  "entries",
  "events",
  "audit_log",
  "card_state_changes",
  "processor_operations",
];
