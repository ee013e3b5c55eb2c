import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { hasPackages } from "#test/run/packages.ts";
import type { Course } from "./alert-course.ts";
import { EXPORTER_COURSES } from "./exporter-courses.ts";
import type { OperationClass } from "#lib/operations/operation-class.ts";

/** What makes an alert fire, and what does not, as Prometheus itself evaluates the rules. */

const RULES_FILES = ["floatdeck", "exporters"].map((name) =>
  path.join(import.meta.dirname, `../../docs/alerts/${name}.rules.yml`),
);
const WEEK_MINUTES = 7 * 24 * 60;
const FEED = "floatdeck_feed_delay_seconds";
const FULL = "FloatdeckDatabaseFull";
const MESSAGES = "FloatdeckMessagesLate";
const OLDEST_MESSAGE = "floatdeck_message_oldest_waiting_seconds";
const FAILED_MESSAGES = 'floatdeck_messages{state="failed"}';
const CHANGES = "FloatdeckChangesStopped";
const STOPPED = "floatdeck_changes_stopped_seconds";
const CONNECTIONS = "floatdeck_database_connections_free";

const COURSES: readonly (readonly [string, Course])[] = [
  [
    "one failure among few requests",
    {
      series: { [requests(200)]: "0+2x10", [requests(503)]: "0x5 1x4" },
      alert: "FloatdeckServerErrors",
      firing: 0,
    },
  ],
  [
    "a third of all requests fail",
    {
      series: { [requests(200)]: "0+6x10", [requests(503)]: "0+3x10" },
      alert: "FloatdeckServerErrors",
      firing: 1,
    },
  ],
  [
    "every credit fails, which are few among all requests",
    {
      series: { [requests(200, "read")]: "0+1000x10", [requests(503)]: "0+5x10" },
      alert: "FloatdeckServerErrors",
      firing: 1,
    },
  ],
  [
    "credits failed, and succeed again",
    {
      series: { [requests(200)]: "0x2 0+600x8", [requests(503)]: "0 20 20x8" },
      alert: "FloatdeckServerErrors",
      firing: 0,
    },
  ],
  [
    "one request in a hundred fails for half an hour",
    {
      series: { [requests(200)]: "0+99x60", [requests(503)]: "0+1x60" },
      alert: "FloatdeckErrorsLinger",
      firing: 1,
      after: "60m",
    },
  ],
  [
    "one request in a thousand fails",
    {
      series: { [requests(200)]: "0+999x60", [requests(503)]: "0+1x60" },
      alert: "FloatdeckErrorsLinger",
      firing: 0,
      after: "60m",
    },
  ],
  [
    "every authorization takes 2.5 s, while reads are fast and many",
    {
      series: { ...durations("processor", 0, 3), ...durations("read", 1_000, 0) },
      alert: "FloatdeckRequestsSlow",
      firing: 1,
    },
  ],
  [
    "one authorization in ten is slow",
    { series: durations("processor", 9, 1), alert: "FloatdeckRequestsSlow", firing: 0 },
  ],
  [
    "the slowest percent of authorizations is slow, while reads are fast and many",
    {
      series: { ...durations("processor", 95, 5), ...durations("read", 10_000, 0) },
      alert: "FloatdeckSlow",
      firing: 1,
    },
  ],
  [
    "nobody sends what was sent a week ago",
    {
      series: { [requests(200)]: `0+10x${WEEK_MINUTES} ${10 * WEEK_MINUTES}x60` },
      alert: "FloatdeckTrafficLost",
      firing: 1,
      after: `${WEEK_MINUTES + 45}m`,
      every: "15m",
    },
  ],
  [
    "as much is sent as a week ago",
    {
      series: { [requests(200)]: `0+10x${WEEK_MINUTES + 60}` },
      alert: "FloatdeckTrafficLost",
      firing: 0,
      after: `${WEEK_MINUTES + 45}m`,
      every: "15m",
    },
  ],
  [
    "little was sent a week ago, and nothing now",
    {
      series: { [requests(200)]: `0+1x${WEEK_MINUTES} ${WEEK_MINUTES}x60` },
      alert: "FloatdeckTrafficLost",
      firing: 0,
      after: `${WEEK_MINUTES + 45}m`,
      every: "15m",
    },
  ],
  [
    "a transaction holds back the feed for minutes",
    { series: { [FEED]: "0x4 30+60x6" }, alert: "FloatdeckFeedLate", firing: 1 },
  ],
  [
    "the feed is held back for moments",
    { series: { [FEED]: "0 2 0 5 0 9 0 2 0 4 0" }, alert: "FloatdeckFeedLate", firing: 0 },
  ],
  ["nothing is scraped", { series: { unrelated: "1x10" }, alert: "FloatdeckWatchdog", firing: 1 }],
  ["all is well", { series: { [up("a")]: "1x10" }, alert: "FloatdeckWatchdog", firing: 1 }],
  [
    "changes are refused for want of room on the database's disk",
    { series: { [full("a")]: "0x8 3x2", [full("b")]: "0x10" }, alert: FULL, firing: 1 },
  ],
  [
    "such refusals are in the past",
    { series: { [full("a")]: "0x2 3x8", [full("b")]: "0x10" }, alert: FULL, firing: 0 },
  ],
  [
    "a few connections are left for minutes",
    { series: { [CONNECTIONS]: "50x5 9x5" }, alert: "FloatdeckConnectionsLow", firing: 1 },
  ],
  [
    "few connections are left for a moment",
    { series: { [CONNECTIONS]: "50x3 0x1 50x6" }, alert: "FloatdeckConnectionsLow", firing: 0 },
  ],
  [
    "a message has waited for long",
    { series: { [OLDEST_MESSAGE]: "0x2 700+60x8" }, alert: MESSAGES, firing: 1 },
  ],
  [
    "a message failed",
    {
      series: { [FAILED_MESSAGES]: "0x2 1x8", [OLDEST_MESSAGE]: "0x10" },
      alert: MESSAGES,
      firing: 1,
    },
  ],
  [
    "messages wait for a moment",
    { series: { [OLDEST_MESSAGE]: "5x10", [FAILED_MESSAGES]: "0x10" }, alert: MESSAGES, firing: 0 },
  ],
  [
    "a third of the webhooks are sent half a minute late",
    { series: delays(20, 10), alert: "FloatdeckWebhooksSlow", firing: 1, after: "15m" },
  ],
  [
    "one webhook in ten is late",
    { series: delays(27, 3), alert: "FloatdeckWebhooksSlow", firing: 0, after: "15m" },
  ],
  [
    "a change of the schema takes twenty minutes without changes",
    { series: { [STOPPED]: "0x2 0+60x20 0x2" }, alert: CHANGES, firing: 0, after: "22m" },
  ],
  [
    "somebody forgot to allow changes again",
    { series: { [STOPPED]: "0+60x90" }, alert: CHANGES, firing: 1, after: "65m" },
  ],
  [
    "a server answers scrapes",
    { series: { [up("a")]: "1x10" }, alert: "FloatdeckDown", firing: 0 },
  ],
  [
    "one of two servers no longer answers scrapes",
    { series: { [up("a")]: "1x4 0x6", [up("b")]: "1x10" }, alert: "FloatdeckDown", firing: 1 },
  ],
  [
    "no server is scraped anymore",
    { series: { [up("a", "another")]: "1x10" }, alert: "FloatdeckDown", firing: 1 },
  ],
];

function requests(status: number, operationClass: OperationClass = "funds"): string {
  return `floatdeck_requests_total{class="${operationClass}",status="${status}"}`;
}

/** How many requests a minute take less than a second, and how many take 2.5 s. */
function durations(operationClass: OperationClass, fast: number, slow: number): Course["series"] {
  const labels = `class="${operationClass}",operation="any"`;
  const bucket = (le: string) => `floatdeck_request_duration_seconds_bucket{${labels},le="${le}"}`;
  const all = `0+${fast + slow}x10`;
  return { [bucket("1")]: `0+${fast}x10`, [bucket("2.5")]: all, [bucket("+Inf")]: all };
}

/** How many webhooks a minute are sent within half a minute, and how many later. */
function delays(soon: number, late: number): Course["series"] {
  return {
    'floatdeck_webhook_delay_seconds_bucket{le="30"}': `0+${soon}x20`,
    'floatdeck_webhook_delay_seconds_bucket{le="+Inf"}': `0+${soon + late}x20`,
  };
}

function full(instance: string): string {
  return `floatdeck_database_full_total{instance="${instance}"}`;
}

function up(instance: string, job = "floatdeck"): string {
  return `up{job="${job}",instance="${instance}"}`;
}

test("each alert about other exporters has a course in which it fires, and one in which it does not", () => {
  const [, file = ""] = RULES_FILES;
  const named = readFileSync(file, "utf8").matchAll(/- alert: (?<name>\w+)/gu);
  const alerts = [...named].map(({ groups }) => groups?.["name"]);
  for (const firing of [0, 1]) {
    const covered = EXPORTER_COURSES.filter(([, course]) => course.firing === firing);
    expect(new Set(covered.map(([, { alert }]) => alert))).toEqual(new Set(alerts));
  }
});

describe.skipIf(!hasPackages("prometheus"))(
  "the rules in Prometheus (needs promtool), while",
  () => {
    test.each([...COURSES, ...EXPORTER_COURSES])(
      "%s",
      (_, { series, alert, firing, after = "10m", interval = "1m", every = interval }) => {
        const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-rules-"));
        const file = path.join(dir, "test.yml");
        const inputs = Object.entries(series).map(([name, values]) => ({ series: name, values }));
        const count = {
          expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
          eval_time: after,
          exp_samples: [{ labels: "{}", value: firing }],
        };
        const course = {
          rule_files: RULES_FILES,
          evaluation_interval: every,
          tests: [{ interval, input_series: inputs, promql_expr_test: [count] }],
        };
        writeFileSync(file, stringify(course));
        const { stdout, stderr } = spawnSync("promtool", ["test", "rules", file], {
          encoding: "utf8",
        });
        rmSync(dir, { recursive: true });
        expect(`${stdout}${stderr}`).toContain("SUCCESS");
      },
    );
  },
);
