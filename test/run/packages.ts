import { spawnSync } from "node:child_process";
import { findSystemPostgres } from "#test/faults/system-postgres.ts";

/** The packages of Debian that tests use, and what shows that each is there, from wherever it was installed. */
const PACKAGES = {
  "etcd-server": () => isThere("etcd", "--version"),
  haproxy: () => isThere("haproxy", "-v"),
  nginx: () => isThere("nginx", "-v"),
  patroni: () => isThere("patroni", "--version"),
  pgbouncer: () => isThere("pgbouncer", "--version"),
  postgresql: () => findSystemPostgres() !== undefined,
  "prometheus-blackbox-exporter": () => isThere("prometheus-blackbox-exporter", "--version"),
  "prometheus-node-exporter": () => isThere("prometheus-node-exporter", "--version"),
  prometheus: () => isThere("prometheus", "--version") && isThere("promtool", "--version"),
  "python3-etcd": () => isThere("/usr/bin/python3", "-c", "import etcd"),
  systemd: () => isThere("systemd-analyze", "--version"),
} satisfies Record<string, () => boolean>;

/** The name of a Debian package. */
export type Package = keyof typeof PACKAGES;

/** The names of all of them. */
export const ALL_PACKAGES = Object.keys(PACKAGES).filter(
  (name): name is Package => name in PACKAGES,
);

/** @returns those that are not there. */
export function findMissing(packages: readonly Package[]): Package[] {
  return packages.filter((name) => !PACKAGES[name]());
}

/** The arguments of `apt-get` that install these packages, once nobody else installs any. */
export function toInstallArguments(packages: readonly Package[]): string[] {
  return [
    "install",
    "--yes",
    "--no-install-recommends",
    "--option=DPkg::Lock::Timeout=300",
    ...packages,
  ];
}

/** Whether they are there. If not, prints the command that installs them, because what needs them is skipped. */
export function hasPackages(...packages: readonly Package[]): boolean {
  const missing = findMissing(packages);
  if (missing.length > 0) {
    process.stdout.write(
      `Skipped for want of packages. To run it: apt-get ${toInstallArguments(missing).join(" ")}\n`,
    );
  }
  return missing.length === 0;
}

function isThere(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}
