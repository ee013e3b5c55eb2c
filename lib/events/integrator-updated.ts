import type { z } from "zod";
import { accountSchema } from "#lib/api/contract/account.ts";
import { approvalRule } from "#lib/api/contract/approval.ts";
import { autoFreezeSchema } from "#lib/api/contract/freeze-rule.ts";
import { event } from "#lib/events/event.ts";
import { MEMBER_PHRASES } from "#lib/integrators/account-resource.ts";
import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import type { EventFormatter } from "#lib/sentences/event-formatter.ts";
import { toAutoFreezeText } from "#lib/transactions/auto-freeze.ts";

export const integratorUpdated = event({
  name: "integrator.updated",
  order: 1,
  when: "Account information or settings changed.",
  data: accountSchema
    .partial()
    .describe("Only the changed members of the account; previous has their old values."),
  example: {
    data: { domain: "northwind.example" },
    previous: { domain: "old.northwind.example" },
  },
  actions: {
    "integrator.updated": "Account updated",
    "integrator.suspended": "Account suspended",
    "integrator.resumed": "Account resumed",
    "integrator.stopped": "Account stopped",
    "integrator.started": "Account started",
  },
  format: formatUpdate,
  trigger: {
    calls: [
      ["account.update", { domain: "update.trigger.example" }],
      ["account.update", { domain: "$domain" }],
    ],
  },
});

function formatUpdate(formatter: EventFormatter): Sentence {
  const { who, subject, after } = formatter;
  if ("stopped_at" in after) {
    return after["stopped_at"] === null
      ? say`${who} allowed changes to ${subject} again`
      : say`${who} stopped all changes to ${subject}`;
  }
  if (!("suspended_at" in after)) {
    return formatChange(formatter);
  }
  return after["suspended_at"] === null
    ? say`${who} resumed ${subject}`
    : say`${who} suspended ${subject}`;
}

/** `changed the domain from a.example to b.example`. */
function formatChange(formatter: EventFormatter): Sentence {
  const { who, before, after } = formatter;
  const names = Object.keys(after);
  const [name = ""] = names;
  const changed = new Intl.ListFormat("en-US").format(names.map(toMemberName));
  if (names.length !== 1 || name === "spending_controls") {
    return say`${who} changed ${changed}`;
  }
  const show = (value: unknown) => {
    if (name === "approval") {
      return toRuleText(formatter, approvalRule.parse(value));
    }
    if (typeof value === "number") {
      return name === "idle_freeze_days" ? `${value} days` : formatter.money(name);
    }
    return toShown(value);
  };
  return typeof before[name] === "string" && typeof after[name] === "string"
    ? say`${who} changed ${changed} from ${show(before[name])} to ${show(after[name])}`
    : say`${who} changed ${changed} to ${show(after[name])}`;
}

function toRuleText(formatter: EventFormatter, rule: z.infer<typeof approvalRule>): string {
  if (rule === null) {
    return "never";
  }
  const keys = rule.for_keys ? ", by API keys too" : "";
  return `${formatter.amount(rule.threshold)} or more within 24 hours${keys}`;
}

function toMemberName(name: string): string {
  return MEMBER_PHRASES[name] ?? `the ${name.replaceAll("_", " ")}`;
}

function toShown(value: unknown): string {
  if (typeof value === "boolean") {
    return value ? "yes" : "no";
  }
  const autoFreeze = autoFreezeSchema.safeParse(value).data;
  if (autoFreeze) {
    return toAutoFreezeText(autoFreeze);
  }
  return typeof value === "string" ? value : "none";
}
