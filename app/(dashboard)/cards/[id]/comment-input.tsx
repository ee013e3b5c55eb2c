import { TextInput } from "../../../ui/text-input.tsx";

/** The operations' limit. */
const COMMENT_MAX = 255;

/** A comment on an action, in the person's own words. */
export function CommentInput({
  form,
}: {
  form: {
    values: { comment: string };
    errors: Readonly<Record<string, readonly string[] | string>>;
    set: (name: "comment", value: string) => void;
  };
}) {
  return (
    <TextInput
      error={form.errors["comment"]}
      label="Comment"
      maxLength={COMMENT_MAX}
      rows={3}
      onChange={(comment) => form.set("comment", comment)}
      value={form.values.comment}
    />
  );
}
