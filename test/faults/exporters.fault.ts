import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { stringify, parse } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "#db/postmaster.ts";
import { canStartPatroni, startPatroni } from "#test/failover/patroni.ts";
import type { PatroniCluster } from "#test/failover/patroni.ts";
import type { PatroniNode } from "#test/failover/node.ts";
import { hasPackages } from "#test/run/packages.ts";
import { readGuideConfig } from "./guide-config.ts";
import { readAlertGroups, startPrometheus } from "./prometheus.ts";
import type { Prometheus } from "./prometheus.ts";

/** Alerts about what is around Floatdeck, with the fault that each is about: a real Prometheus scrapes the real thing. */

/** The scrape jobs of docs/alerts.md, at these places. */
function readJob(name: string, places: Readonly<Record<string, string>>): object {
  const holding = `job_name: ${name}`;
  const text = readGuideConfig({ guide: "alerts.md", language: "yaml", holding }, places);
  const { scrape_configs: jobs }: { scrape_configs: { job_name: string }[] } = parse(text);
  return jobs.find((job) => job.job_name === name) ?? {};
}

const provoked = new Set<string>();

function provokes(alert: string, provoke: () => Promise<void>): void {
  provoked.add(alert);
  test(`${alert} fires`, async () => {
    await expect(provoke()).resolves.toBeUndefined();
  });
}

function expectWhole(group: string): void {
  test("every alert is provoked", () => {
    const found = readAlertGroups("exporters.rules.yml").find(({ name }) => name === group);
    expect(found?.alerts.filter((alert) => !provoked.has(alert))).toEqual([]);
  });
}

describe.skipIf(!canStartPatroni() || !hasPackages("prometheus"))("Patroni", () => {
  let dir = "";
  let cluster: PatroniCluster;
  let primary: PatroniNode;
  let prometheus: Prometheus;

  beforeAll(async () => {
    dir = mkdtempSync(path.join(tmpdir(), "floatdeck-exporters-"));
    chmodSync(dir, 0o755);
    cluster = await startPatroni(dir);
    const [db1, db2] = cluster.nodes.map(({ restUrl }) => new URL(restUrl).host);
    const places = { "10.0.0.21:8008": db1 ?? "", "10.0.0.22:8008": db2 ?? "" };
    prometheus = await startPrometheus("exporters.rules.yml", [readJob("patroni", places)]);
    await prometheus.untilScraped(2);
    const found = await cluster.findPrimary();
    if (!found) {
      throw new Error("There is no primary.");
    }
    primary = found;
  });

  afterAll(async () => {
    prometheus.stop();
    await cluster.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** As its operator does. */
  const control = (...args: string[]) =>
    execFileSync("patronictl", ["-c", primary.config, ...args], { stdio: "ignore" });

  provokes("PatroniNotSynchronous", async () => {
    control("edit-config", "--force", "-s", "synchronous_mode=false");
    await prometheus.untilFiring("PatroniNotSynchronous");
    control("edit-config", "--force", "-s", "synchronous_mode=true");
  });

  provokes("PatroniRestartPending", async () => {
    control("edit-config", "--force", "-s", "postgresql.parameters.max_connections=150");
    // Both take an hour, which lasts a minute here.
    control("pause");
    await prometheus.untilFiring("PatroniRestartPending");
  });

  provokes("PatroniPaused", () => prometheus.untilFiring("PatroniPaused"));

  provokes("PatroniWithoutPrimary", async () => {
    await primary.killPostgres();
    await prometheus.untilFiring("PatroniWithoutPrimary");
  });

  provokes("PatroniWithoutEtcd", async () => {
    control("resume");
    cluster.killEtcd();
    await prometheus.untilFiring("PatroniWithoutEtcd");
  });

  provokes("PatroniDown", async () => {
    await primary.killMachine();
    await prometheus.untilFiring("PatroniDown", new URL(primary.restUrl).host);
  });

  expectWhole("floatdeck-patroni");
});

const EXPORTERS = ["prometheus-blackbox-exporter", "prometheus-node-exporter"] as const;
/** Fewer than the fourteen days before which the alert fires. */
const DAYS_LEFT = 5;

describe.skipIf(!hasPackages("prometheus", ...EXPORTERS))("addresses and certificates", () => {
  let dir = "";
  let site: Server;
  let address = "";
  let machine = "";
  let prometheus: Prometheus;
  const exporters: ChildProcess[] = [];

  beforeAll(async () => {
    dir = mkdtempSync(path.join(tmpdir(), "floatdeck-exporters-"));
    const certificate = makeCertificate();
    site = createServer({ cert: readFileSync(certificate), key: readFileSync(`${dir}/key.pem`) });
    site.on("request", (_, response) => response.end("well"));
    await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
    address = `https://127.0.0.1:${(site.address() as AddressInfo).port}`;
    machine = await startMachine();
    writeExpiry(certificate);
    prometheus = await startPrometheus("exporters.rules.yml", [
      readJob("addresses", {
        "https://cards.example.com/api/health/live": address,
        "192.0.2.20:9115": await startProber(certificate),
      }),
      { job_name: "machines", static_configs: [{ targets: [machine] }] },
    ]);
    await prometheus.untilScraped(2);
  });

  afterAll(() => {
    prometheus.stop();
    site.closeAllConnections();
    site.close();
    exporters.forEach((exporter) => exporter.kill("SIGKILL"));
    rmSync(dir, { recursive: true, force: true });
  });

  function makeCertificate(): string {
    const file = `${dir}/server.crt`;
    const options = [
      "-x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1",
      `-days ${DAYS_LEFT} -subj /CN=floatdeck -addext subjectAltName=IP:127.0.0.1`,
      `-keyout ${dir}/key.pem -out ${file}`,
    ];
    execFileSync("openssl", ["req", ...options.flatMap((line) => line.split(" "))]);
    return file;
  }

  /** The exporter's own module, which also trusts this certificate. */
  async function startProber(certificate: string): Promise<string> {
    const prober = { prober: "http", http: { tls_config: { ca_file: certificate } } };
    writeFileSync(`${dir}/blackbox.yml`, stringify({ modules: { http_2xx: prober } }));
    return launch("prometheus-blackbox-exporter", [`--config.file=${dir}/blackbox.yml`]);
  }

  async function startMachine(): Promise<string> {
    const collectors = ["--collector.disable-defaults", "--collector.textfile"];
    return launch("prometheus-node-exporter", [
      ...collectors,
      `--collector.textfile.directory=${dir}`,
    ]);
  }

  async function launch(program: string, args: readonly string[]): Promise<string> {
    const place = `127.0.0.1:${await findFreePort()}`;
    const all = [...args, `--web.listen-address=${place}`];
    exporters.push(spawn(program, all, { stdio: "ignore" }));
    return place;
  }

  /** By the guide's job. */
  function writeExpiry(certificate: string): void {
    const script = readGuideConfig(
      { guide: "alerts.md", language: "sh", holding: "openssl x509" },
      { "/etc/postgresql/server.crt": certificate, "/var/lib/node_exporter": dir },
    );
    execFileSync("sh", ["-ec", script]);
  }

  provokes("CertificateExpires", async () => {
    await prometheus.untilFiring("CertificateExpires", address);
    await prometheus.untilFiring("CertificateExpires", machine);
  });

  provokes("AddressDown", async () => {
    site.closeAllConnections();
    site.close();
    await prometheus.untilFiring("AddressDown");
  });

  expectWhole("floatdeck-addresses");
});
