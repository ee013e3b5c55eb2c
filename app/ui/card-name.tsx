/** A card's name: the name on it and its last four digits. */
export function CardName({ card }: { card: { cardName: string; last4: string } }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <bdi className="min-w-0 truncate">{card.cardName}</bdi>
      <span className="text-muted text-xs whitespace-nowrap">{`•••• ${card.last4}`}</span>
    </span>
  );
}
