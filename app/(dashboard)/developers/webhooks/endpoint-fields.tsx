"use client";

import { CheckboxGroup } from "../../../ui/checkbox-group.tsx";
import { RadioGroup } from "../../../ui/radio-group.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { SELECTABLE_EVENTS } from "#lib/webhooks/selectable-events.ts";
import type { SelectableEvent } from "#lib/webhooks/selectable-events.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";

const EVENTS = SELECTABLE_EVENTS.map((id) => ({
  id,
  name: <span className="font-mono text-xs wrap-anywhere">{id}</span>,
}));

const FORMATS: readonly { id: Endpoint["format"]; name: string }[] = [
  { id: "event", name: "Events, for a program" },
  { id: "chat", name: "A sentence about each event, for a chat such as Slack or Mattermost" },
];

/** The values of a form for an endpoint. */
export interface EndpointValues extends Record<string, unknown> {
  webhook_url: string;
  format: Endpoint["format"];
  events: readonly SelectableEvent[];
  /** One header per line. */
  headers: string;
}

/** The members of a form that these fields edit. */
interface EndpointForm {
  values: EndpointValues;
  errors: Readonly<Record<string, string | readonly string[]>>;
  set<Name extends keyof EndpointValues & string>(name: Name, value: EndpointValues[Name]): void;
}

/** An endpoint's URL, format, events, and headers. */
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
      <RadioGroup
        label="Sends"
        onChange={(format) => form.set("format", format)}
        options={FORMATS}
        value={form.values.format}
      />
      <CheckboxGroup
        className="grid grid-cols-1 gap-2 sm:grid-cols-2"
        error={form.errors["events"]}
        label="Events"
        onChange={(events) => form.set("events", events)}
        options={EVENTS}
        value={form.values.events}
      />
      <TextInput
        description={headersHint}
        error={toHeadersError(form.errors)}
        label="Headers"
        rows={3}
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

/** Parses headers from text, one per line; a header without a value is null. */
export function toHeaders(text: string): Record<string, string | null> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...rest] = line.split(":");
      return [name.trim(), rest.join(":").trim() || null];
    }),
  );
}
