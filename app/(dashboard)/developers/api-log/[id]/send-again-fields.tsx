"use client";

import { Choice } from "../../../../ui/choice.tsx";
import { TextInput } from "../../../../ui/text-input.tsx";
import { toName } from "./to-body.ts";
import type { Resendable } from "./to-resendable.ts";

const KEYS = [
  { id: "new", name: "A new key: performs the request again" },
  { id: "same", name: "The same key: repeats the first response" },
] as const;

/** What a person decides before a request is sent again. */
export interface Decisions {
  /** By the name of the member that was not kept. */
  values: Readonly<Record<string, string>>;
  key: (typeof KEYS)[number]["id"];
}

/** Asks for the values that were not kept, and which idempotency key to use. */
export function SendAgainFields({
  resendable: { method, path, missing, takesKey, sameKeyDisabledReason },
  decisions: { values, key },
  onChange,
}: {
  resendable: Resendable;
  decisions: Decisions;
  onChange: (decisions: Decisions) => void;
}) {
  return (
    <>
      <p className="text-muted">
        Sends{" "}
        <code className="text-foreground font-mono text-xs break-all">{`${method} ${path}`}</code>{" "}
        as you, with your permissions, not with the API key. Query parameters aren't kept, so none
        are sent.
      </p>
      {missing.map((member) => {
        const name = toName(member);
        return (
          <TextInput
            description={
              member.isText
                ? "Not kept. Leave empty to omit it."
                : "Not kept. Written as JSON. Leave empty to omit it."
            }
            key={name}
            label={name}
            onChange={(value) => onChange({ values: { ...values, [name]: value }, key })}
            value={values[name] ?? ""}
          />
        );
      })}
      {takesKey && sameKeyDisabledReason === null && (
        <Choice
          label="Idempotency key"
          onChange={(chosen) => onChange({ values, key: chosen })}
          options={KEYS}
          value={key}
        />
      )}
      {takesKey && sameKeyDisabledReason !== null && (
        <p className="text-muted text-xs">{`Sent with a new idempotency key. The same key isn't possible: ${sameKeyDisabledReason}`}</p>
      )}
    </>
  );
}
