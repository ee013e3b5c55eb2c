/** What each operation that can need approval does, in words that follow "to". */
const WORDS: Readonly<Record<string, string>> = {
  creditCard: "credit a card",
  debitCard: "debit a card",
  topUpCard: "credit a card",
  topUpFloat: "top up the float",
  closeCard: "close a card",
  replaceCard: "replace a card",
  createBulkJob: "change many cards",
  updateSettings: "change the settings",
  changeRole: "change a role",
  inviteStaff: "invite a staff member",
  makePasswordReset: "create a password link",
  exemptApiKey: "exempt an API key from approvals",
};

/** The words for an operation that is not listed. */
export const UNKNOWN_WORDS = "make a change";

/** What was asked for, as it follows "to": `credit a card`. */
export function toApprovalWords(operation: string): string {
  return WORDS[operation] ?? UNKNOWN_WORDS;
}
