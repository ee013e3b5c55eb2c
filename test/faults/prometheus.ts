import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { parse, stringify } from "yaml";
import { findFreePort } from "#db/postmaster.ts";
import { stretch } from "#test/run/calibration.ts";

/** A real Prometheus with rules of docs/alerts, in which each minute lasts a second. */
export interface Prometheus {
  /** Resolves when the alert fires, for this target if one is named. The timeout only ends a test that hangs. */
  untilFiring(alert: string, instance?: string): Promise<void>;
  /** Resolves when this many targets answer scrapes. */
  untilScraped(targets: number): Promise<void>;
  stop(): void;
}

interface Rules {
  groups: { name: string; rules: { alert: string; expr: string; for?: string }[] }[];
}

/** The name of a group of rules, and those of its alerts. */
export interface AlertGroup {
  name: string;
  alerts: string[];
}

/** The groups in a file of docs/alerts. */
export function readAlertGroups(file: RulesFile): AlertGroup[] {
  return readRules(file).groups.map(({ name, rules }) => ({
    name,
    alerts: rules.map(({ alert }) => alert),
  }));
}

type RulesFile = "floatdeck.rules.yml" | "exporters.rules.yml";

function readRules(file: RulesFile): Rules {
  return parse(readFileSync(path.join(import.meta.dirname, "../../docs/alerts", file), "utf8"));
}

/** A scrape waits a second for a database that does not answer. Five windows of it still fit in five seconds. */
const SCRAPE_INTERVAL = "1250ms";
const EVALUATION_INTERVAL = "250ms";
/**
 * Longer than the range of a rate, so that it does not overlap with the range that it is compared with, a week
 * earlier.
 */
const WEEK = "40s";
const FIRING_TIMEOUT_MS = 120_000;

/** Starts Prometheus with the rules in this file, and these jobs in the form of its configuration. */
export async function startPrometheus(
  rules: RulesFile,
  jobs: readonly object[],
): Promise<Prometheus> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-prometheus-"));
  const port = await findFreePort();
  writeFileSync(path.join(dir, "rules.yml"), stringify(withoutDelay(readRules(rules))));
  writeFileSync(
    path.join(dir, "prometheus.yml"),
    stringify({
      global: {
        evaluation_interval: EVALUATION_INTERVAL,
        scrape_interval: SCRAPE_INTERVAL,
        scrape_timeout: SCRAPE_INTERVAL,
      },
      rule_files: ["rules.yml"],
      scrape_configs: jobs,
    }),
  );
  const child = spawn(
    "prometheus",
    [
      `--config.file=${path.join(dir, "prometheus.yml")}`,
      `--storage.tsdb.path=${path.join(dir, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  const ask = async (what: string): Promise<Answered> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${what}`).catch(() => undefined);
    const { data = {} }: { data?: Answered } = answer?.ok ? await answer.json() : {};
    return data;
  };
  return {
    untilFiring: async (alert, instance) => {
      await waitUntil(async () => {
        const { alerts = [] } = await ask("alerts");
        return alerts.some(
          ({ labels, state }) =>
            labels.alertname === alert &&
            state === "firing" &&
            (instance === undefined || labels.instance === instance),
        );
      }, `${alert} did not fire.`);
    },
    untilScraped: async (count) => {
      await waitUntil(async () => {
        const { activeTargets = [] } = await ask("targets");
        return activeTargets.filter(({ health }) => health === "up").length === count;
      }, "A target did not answer.");
    },
    stop: () => stop(child, dir),
  };
}

/** What Prometheus's API answers about alerts, or about targets. */
interface Answered {
  alerts?: Alert[];
  activeTargets?: { health: string }[];
}

interface Alert {
  labels: { alertname: string; instance?: string };
  state: string;
}

async function waitUntil(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  await vi.waitUntil(isSo, { timeout: stretch(FIRING_TIMEOUT_MS), interval: 100 }).catch(() => {
    throw new Error(otherwise);
  });
}

/** The rules with each `for` and each rate's range divided by 60. Weeks are shortened further. */
function withoutDelay({ groups }: Rules): Rules {
  return {
    groups: groups.map((group) => ({
      ...group,
      rules: group.rules.map((rule) => ({
        ...rule,
        expr: rule.expr
          .replaceAll(/\[[^\]]+\]/gu, hasten)
          .replaceAll("offset 1w", `offset ${WEEK}`),
        ...(rule.for === undefined ? {} : { for: hasten(rule.for) }),
      })),
    })),
  };
}

function hasten(text: string): string {
  return text
    .replaceAll(/\b(?<minutes>\d+)m\b/gu, "$<minutes>s")
    .replaceAll(/\b(?<hours>\d+)h\b/gu, "$<hours>m");
}

function stop(child: ChildProcess, dir: string): void {
  const gone = () => rmSync(dir, { recursive: true, force: true });
  child.once("exit", gone);
  child.kill("SIGKILL");
}
