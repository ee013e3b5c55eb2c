/** A card as dialogs and lists name it: its holder and its last four. */
export function toCardTitle(name: string, last4: string): string {
  return `${name} •••• ${last4}`;
}
