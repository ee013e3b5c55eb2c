"use client";

import { Checkbox, CheckboxGroup, FieldError, Label } from "@heroui/react";
import { TextInput } from "../../../ui/text-input.tsx";
import { SELECTABLE_EVENTS } from "#lib/webhooks/selectable-events.ts";
import type { SelectableEvent } from "#lib/webhooks/selectable-events.ts";

/** What a form says of an endpoint. */
export interface EndpointValues extends Record<string, unknown> {
  webhook_url: string;
  events: readonly SelectableEvent[];
  /** One header per line. */
  headers: string;
}

/** The part of a form that these fields are about. */
interface EndpointForm {
  values: EndpointValues;
  errors: Readonly<Record<string, string | readonly string[]>>;
  set<Name extends keyof EndpointValues & string>(name: Name, value: EndpointValues[Name]): void;
}

/** An endpoint's URL, events, and headers. */
export function EndpointFields({ form, headersHint }: { form: EndpointForm; headersHint: string }) {
  return (
    <>
      <TextInput
        autoFocus
        error={form.errors["webhook_url"]}
        isRequired
        label="URL"
        onChange={(value) => form.set("webhook_url", value)}
        placeholder="https://example.com/webhooks"
        type="url"
        value={form.values.webhook_url}
      />
      <EventChoice
        error={form.errors["events"]}
        onChange={(events) => form.set("events", events)}
        value={form.values.events}
      />
      <TextInput
        description={headersHint}
        error={toHeadersError(form.errors)}
        label="Headers"
        multiline
        onChange={(value) => form.set("headers", value)}
        placeholder="X-Team: ledger"
        value={form.values.headers}
      />
    </>
  );
}

/** Each header has errors of its own. */
function toHeadersError(errors: EndpointForm["errors"]): string | undefined {
  const found = Object.entries(errors).filter(([name]) => name.split(".", 1)[0] === "headers");
  return found.length === 0
    ? undefined
    : found
        .map(([name, each]) => `${name.slice("headers.".length)} ${[each].flat().join(" ")}`.trim())
        .join(" ");
}

/** The headers in a text, one per line; one without a value is null. */
export function toHeaders(text: string): Record<string, string | null> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...rest] = line.split(":");
      return [name.trim(), rest.join(":").trim() || null];
    }),
  );
}

function EventChoice({
  value,
  onChange,
  error,
}: {
  value: readonly SelectableEvent[];
  onChange: (events: readonly SelectableEvent[]) => void;
  error: string | readonly string[] | undefined;
}) {
  return (
    <CheckboxGroup
      isInvalid={error !== undefined}
      onChange={(names) => onChange(SELECTABLE_EVENTS.filter((event) => names.includes(event)))}
      value={[...value]}
    >
      <Label>Events</Label>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {SELECTABLE_EVENTS.map((event) => (
          <Checkbox key={event} value={event}>
            <Checkbox.Content>
              <Checkbox.Control>
                <Checkbox.Indicator />
              </Checkbox.Control>
              <Label className="font-mono text-xs">{event}</Label>
            </Checkbox.Content>
          </Checkbox>
        ))}
      </div>
      <FieldError>{typeof error === "string" ? error : error?.join(" ")}</FieldError>
    </CheckboxGroup>
  );
}
