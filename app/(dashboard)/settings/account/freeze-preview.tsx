import { Disclosed } from "../../../ui/disclosed.tsx";
import { Link } from "../../../ui/link.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";

/** How long typing must pause before the preview is requested. */
export const PAUSE_MS = 400;

interface Previewed {
  cards: number;
  first: readonly { card_id: string; card_name: string; last4: string }[];
}

/** What a setting would do, and to which cards; empty until it is known. */
export function FreezePreview({ text, found }: { text: string; found: Previewed | undefined }) {
  return (
    <>
      <p role="status">{text}</p>
      {found && found.first.length > 0 && (
        <div className="text-foreground rounded-lg border">
          <Disclosed summary={<span className="font-medium">Which cards</span>}>
            <ul className="divide-separator max-h-56 divide-y overflow-y-auto">
              {found.first.map(({ card_id: id, card_name: name, last4 }) => (
                <li className="py-1.5" key={id}>
                  <Link className="underlined-link" href={`/cards/${id}`} target="_blank">
                    {toCardTitle(name, last4)}
                  </Link>
                </li>
              ))}
            </ul>
            {found.first.length < found.cards && (
              <p className="hint">{`The first ${found.first.length} of ${toCardCount(found.cards)}.`}</p>
            )}
          </Disclosed>
        </div>
      )}
    </>
  );
}

/** A number of cards, for the start of a sentence: `No cards`, `1 card`, `1,204 cards`. */
export function toCardCount(cards: number): string {
  if (cards === 0) {
    return "No cards";
  }
  return cards === 1 ? "1 card" : `${cards.toLocaleString("en-US")} cards`;
}

/** Parses a typed number. The operation's schema refuses anything that is not a whole number. */
export function toWholeNumber(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
