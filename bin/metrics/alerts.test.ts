import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { hasPackages } from "#test/run/packages.ts";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { checkClock } from "#lib/operator/clock-skew.ts";
import { startRetention, toLastLags } from "#lib/operator/retention.ts";
import { collectServer } from "./metrics.ts";

/** The rules and the dashboard against the metrics of a server that has done something of everything. */

const DOCS = path.join(import.meta.dirname, "../../docs");
const read = (file: string) => readFileSync(path.join(DOCS, file), "utf8");

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const RULES_FILE = path.join(DOCS, "alerts/floatdeck.rules.yml");
const RULES: { groups: { rules: Alert[] }[] } = parse(readFileSync(RULES_FILE, "utf8"));
/** About metrics of other exporters. */
const EXPORTERS_FILE = path.join(DOCS, "alerts/exporters.rules.yml");
const EXPORTERS: typeof RULES = parse(readFileSync(EXPORTERS_FILE, "utf8"));
const AROUND = EXPORTERS.groups.flatMap(({ rules }) => rules);
const ALERTS = RULES.groups.flatMap(({ rules }) => rules);
/** Always fires, whatever the metrics say. */
const WATCHDOG = "FloatdeckWatchdog";
const CONDITIONAL = ALERTS.filter(({ alert }) => alert !== WATCHDOG);
const { panels }: Dashboard = JSON.parse(read("alerts/floatdeck.dashboard.json"));
const GUIDE = read("alerts.md");

let text = "";

beforeAll(async () => {
  const { db } = testDatabase();
  const pages = {
    isAnswering: () => true,
    isLimited: () => false,
    readUsage: () => ({ memoryBytes: 1, cpuSeconds: 1, restarts: 0 }),
  };
  // With every metric: also those about an embedded database.
  const collected = collectServer(pages, tmpdir());
  const integrator = await newIntegrator(100);
  const card = await newCard(integrator);
  const body = { card_id: card.id, amount: 1 };
  await call("PATCH /cards/credit/balance", { key: integrator.apiKey, body });
  await checkBooks(db, "full");
  await checkClock(db);
  const retention = startRetention(db);
  await vi.waitUntil(() => toLastLags().length > 0, { timeout: 20_000 });
  retention.stop();
  ({ text } = await collected.scrape());
  await collected.stop();
});

/** Prometheus makes this one for each target. */
const MADE_BY_PROMETHEUS = new Set(["up"]);

/** What it names, with the labels that it selects by: `name{label="value"}`. */
function findSelectors(expression: string): { name: string; labels: string[] }[] {
  const found = expression.matchAll(
    /\b(?<name>(?:floatdeck|process|nodejs)_\w+|up)\b(?:\{(?<labels>[^}]*)\})?/gu,
  );
  return [...found].map(({ groups }) => ({
    name: groups?.["name"] ?? "",
    labels: [...(groups?.["labels"] ?? "").matchAll(/(?<label>\w+)(?:[!=]~?|=)"/gu)].map(
      (match) => match.groups?.["label"] ?? "",
    ),
  }));
}

/** What no scrape contains: metrics by name, and labels that they do not have. `job` and `instance` are Prometheus's own. */
function findUnknown(expression: string): string[] {
  return findSelectors(expression)
    .filter(({ name }) => !MADE_BY_PROMETHEUS.has(name))
    .flatMap(({ name, labels }) => {
      const series = text
        .split("\n")
        .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
      const isKnown = (label: string) =>
        label === "job" || series.some((line) => line.includes(`${label}="`));
      return series.length === 0 ? [name] : labels.filter((label) => !isKnown(label));
    });
}

/** Labels that an expression groups by. */
function findGroups(expression: string): string[] {
  return [...expression.matchAll(/\bby \((?<labels>[^)]*)\)/gu)].flatMap(({ groups }) =>
    (groups?.["labels"] ?? "").split(",").map((label) => label.trim()),
  );
}

test("the check finds metrics and labels that no process has", () => {
  expect(findUnknown("rate(floatdeck_unheard_of_total[5m]) > 0")).toEqual([
    "floatdeck_unheard_of_total",
  ]);
  expect(findUnknown('floatdeck_requests_total{tenant="x",status="200"}')).toEqual(["tenant"]);
});

test.skipIf(!hasPackages("prometheus")).each([
  [RULES_FILE, ALERTS],
  [EXPORTERS_FILE, AROUND],
])("Prometheus accepts %s (needs promtool, of Debian's package prometheus)", (file, alerts) => {
  const { status, stdout } = spawnSync("promtool", ["check", "rules", file], { encoding: "utf8" });
  expect(stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
  expect(status).toBe(0);
});

test.each(AROUND)("$alert says how urgent it is, and where its runbook is", (around) => {
  const { alert, labels, annotations } = around;
  expect(["page", "ticket"]).toContain(labels.severity);
  expect(annotations.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
});

describe.each(CONDITIONAL)("$alert", ({ alert, expr, labels, annotations }) => {
  test("is about metrics and labels that are exported", () => {
    expect(findSelectors(expr)).not.toEqual([]);
    expect(findUnknown(expr)).toEqual([]);
    for (const label of findGroups(expr).filter((each) => each !== "instance" && each !== "le")) {
      expect(text).toContain(`${label}="`);
    }
  });

  test("compares with a bound, so that it can be true and false", () => {
    expect(expr).toMatch(/(?:[<>]=?|==) [\d.]+$/u);
  });

  test("says how urgent it is, and has a runbook in the guide", () => {
    expect(["page", "ticket"]).toContain(labels.severity);
    expect(annotations.summary).not.toBe("");
    expect(annotations.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
    expect(GUIDE).toContain(`\n### ${alert}\n`);
  });
});

test("failures are counted from 0, so that Prometheus sees the first one as an increase", () => {
  expect(text).toContain(
    'floatdeck_requests_total{operation="debitCard",class="funds",status="503",code="database_unavailable"} 0',
  );
});

test("the guide has no runbook for an alert that does not exist", () => {
  const described = [...GUIDE.matchAll(/^### (?<name>\w+)$/gmu)].map(
    ({ groups }) => groups?.["name"],
  );
  expect(described).toEqual([...ALERTS, ...AROUND].map(({ alert }) => alert));
});

test("every metric of Floatdeck is described in the guide, and the guide describes no other", () => {
  const exported = [...text.matchAll(/^# TYPE (?<name>floatdeck_\w+) /gmu)].map(
    ({ groups }) => groups?.["name"] ?? "",
  );
  const described = [...GUIDE.matchAll(/^\| `(?<name>floatdeck_\w+)`/gmu)].map(
    ({ groups }) => groups?.["name"] ?? "",
  );
  expect(described.toSorted()).toEqual(exported.toSorted());
});

describe.each(panels)("the dashboard's panel $title", ({ targets }) => {
  test("shows metrics that are exported", () => {
    expect(targets).not.toEqual([]);
    for (const { expr } of targets) {
      expect(findSelectors(expr)).not.toEqual([]);
      expect(findUnknown(expr)).toEqual([]);
    }
  });
});

test("the dashboard shows every metric that an alert is about", () => {
  const shown = new Set(
    panels
      .flatMap(({ targets }) => targets)
      .flatMap(({ expr }) => findSelectors(expr).map(({ name }) => name)),
  );
  const alerted = ALERTS.flatMap(({ expr }) => findSelectors(expr).map(({ name }) => name));
  expect(alerted.filter((name) => !shown.has(name) && !MADE_BY_PROMETHEUS.has(name))).toEqual([]);
});
