/** The setting above which a move needs a second person, by its names in the API. */
export interface StoredApproval {
  /** In minor units of the account's currency. */
  threshold: number;
  /** Whether keys that are older than the setting need one, too. */
  for_keys: boolean;
}
