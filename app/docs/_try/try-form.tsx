"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import { Form } from "../../ui/form.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemAlert } from "../../client/problem-alert.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { Method } from "../../reference/method.tsx";
import { parseBody, toConsequence } from "./request-text.ts";
import { TryResult } from "./try-result.tsx";
import { useTry } from "./use-try.ts";

/** What the form needs to know about an operation. */
export interface TryFormProps {
  operation: {
    id: string;
    method: string;
    path: string;
    summary: string;
    /** The parameter of the path; null if there is none. */
    pathName: string | null;
    query: readonly { name: string; hint: string | null }[];
    takesBody: boolean;
  };
  person: string;
  currency: string;
  id: string;
  body: string;
}

const ROWS_MAX = 16;

const NO_ID = "This operation needs the ID of a record. Create one first, or paste another ID.";

/** Prepares a request, says what it does, sends it, and shows what was sent and what came back. */
export function TryForm({ operation, person, currency, ...initial }: TryFormProps) {
  const { pathName, query, takesBody } = operation;
  const [id, setId] = useState(initial.id);
  const [filters, setFilters] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(initial.body);
  const [errors, setErrors] = useState<{ id?: string; body?: string }>({});
  const { send, sent, sentBody, answer, error, isPending } = useTry(operation);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseBody(body);
    const found = {
      ...(pathName !== null && id.trim() === "" ? { id: NO_ID } : {}),
      ...(takesBody && parsed.error !== null ? { body: parsed.error } : {}),
    };
    setErrors(found);
    if (Object.keys(found).length === 0) {
      send({
        ...(pathName === null ? {} : { id: id.trim() }),
        query: Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== "")),
        ...(takesBody ? { body: parsed.value } : {}),
      });
    }
  };
  return (
    <Form className="flex min-w-0 flex-col gap-4" noValidate onSubmit={submit}>
      {pathName !== null && (
        <TextInput error={errors.id} label={pathName} onChange={setId} value={id} />
      )}
      {query.map(({ name, hint }) => (
        <TextInput
          {...(hint === null ? {} : { description: hint })}
          key={name}
          label={name}
          onChange={(value) => setFilters((old) => ({ ...old, [name]: value }))}
          value={filters[name] ?? ""}
        />
      ))}
      {takesBody && (
        <TextInput
          className="font-mono text-xs/5"
          error={errors.body}
          label="Body (JSON)"
          onChange={setBody}
          rows={Math.min(body.split("\n").length + 2, ROWS_MAX)}
          spellCheck={false}
          value={body}
        />
      )}
      <Consequence currency={currency} operation={operation} person={person} body={body} />
      <div>
        <Button isPending={isPending} type="submit">
          Send request
        </Button>
      </div>
      {sent ? (
        <TryResult answer={answer} error={error} sent={sent} sentBody={sentBody} />
      ) : (
        <ProblemAlert error={error} />
      )}
    </Form>
  );
}

/** Says in plain words what sending does, before it is sent. */
function Consequence({
  operation: { method, path, summary, takesBody },
  person,
  currency,
  body,
}: {
  operation: TryFormProps["operation"];
  person: string;
  currency: string;
  body: string;
}) {
  return (
    <div className="border-separator flex flex-col gap-1 border-t pt-3">
      <Method method={method} path={`/api${path}`} />
      <p className="leading-6">{summary}</p>
      {takesBody && <p className="font-medium">{toConsequence(body, currency)}</p>}
      <p className="text-muted leading-6">
        {method === "GET"
          ? `Reads as ${person}. Nothing is changed.`
          : `Changes your sandbox account as ${person}. No real money moves.`}
      </p>
    </div>
  );
}
