/** The text of a note, with its line breaks, in the direction of its script. */
export function NoteText({ comment }: { comment: string | null }) {
  return comment === null ? (
    <p className="text-muted">Erased with the cardholder.</p>
  ) : (
    <p className="wrap-anywhere whitespace-pre-line" dir="auto">
      {comment}
    </p>
  );
}
