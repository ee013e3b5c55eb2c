import { Empty } from "../ui/empty.tsx";
import type { InspectedRecord } from "./inspected-record.ts";

/** Shown in the panel if the URL names a record that does not exist, or that belongs to another account. */
export function toMissingRecord(id: string, noun: string): InspectedRecord {
  return {
    id,
    label: `We couldn't find that ${noun}.`,
    href: null,
    content: (
      <Empty title={`We couldn't find that ${noun}.`}>
        The link may be wrong, or it may belong to another account.
      </Empty>
    ),
  };
}
