import { AddNote } from "../../../card/add-note.tsx";
import { NoteText } from "../../../transaction/note-text.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import type { CardNote } from "#lib/cards/card-note.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** The notes of staff and API keys on a transaction. A printed receipt omits them. */
export function Notes({
  transaction,
  notes,
  disabledReason,
}: {
  transaction: Transaction;
  notes: readonly CardNote[];
  disabledReason: string | null;
}) {
  return (
    <div className="print:hidden">
      <Panel
        action={
          <AddNote
            cardId={transaction.cardId}
            disabledReason={disabledReason}
            transactionId={transaction.id}
          />
        }
        flush
        title="Notes"
      >
        {notes.length > 0 && (
          <ul className="divide-separator divide-y">
            {notes.map(({ id, comment, actor, createdAt }) => (
              <li className="flex flex-col gap-1 px-4 py-2.5" key={id}>
                <NoteText comment={comment} />
                <p className="text-muted flex flex-wrap items-center gap-x-2 text-xs">
                  <Time at={createdAt} />
                  <span>{`by ${actor.name}`}</span>
                </p>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}
