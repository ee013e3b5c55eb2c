import type { Row } from "../../ui/data-table.tsx";
import type { BulkCard } from "./bulk/bulk-card.ts";

/** A card as a row of the list. */
export type CardRow = Row & { card: BulkCard };
