/** The setting that requires a second person for moves above a threshold, with the member names of the API. */
export interface StoredApproval {
  /** In minor units of the account's currency. */
  threshold: number;
  /** Whether keys that are older than the setting also need a second person. */
  for_keys: boolean;
}
