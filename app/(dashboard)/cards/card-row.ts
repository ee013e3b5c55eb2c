import type { Row } from "../../ui/data-table.tsx";
import type { CardStatus } from "#lib/cards/card-state.ts";

/** A card as a row of the list. */
export type CardRow = Row & { status: CardStatus };
