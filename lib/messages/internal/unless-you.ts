/** What to do about a change that its person did not make. */
export function toUnlessYou(address: string | null): string {
  const from = address === null ? "" : ` It came from the address ${address}.`;
  return `If this was you, there is nothing to do.${from} If it wasn't, choose a new password on the sign-in page at once, and tell an owner of the account.`;
}
