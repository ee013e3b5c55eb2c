import type { Course } from "./alert-course.ts";

/** Courses for the alerts about Patroni. */
export const PATRONI_COURSES: readonly (readonly [string, Course])[] = [
  [
    "Patroni of a node ends",
    { series: { [patroniUp("db2")]: "1x4 0x6" }, alert: "PatroniDown", firing: 1 },
  ],
  [
    "Patroni of every node answers",
    {
      series: { [patroniUp("db1")]: "1x10", [patroniUp("db2")]: "1x10" },
      alert: "PatroniDown",
      firing: 0,
    },
  ],
  [
    "the primary's PostgreSQL has ended, and no other takes its place",
    {
      series: {
        ...patroni("primary", "1x10", "0x10"),
        ...patroni("postgres_running", "0x10", "1x10"),
      },
      alert: "PatroniWithoutPrimary",
      firing: 1,
    },
  ],
  [
    "the primary is replaced within a minute",
    {
      series: {
        ...patroni("primary", "1x10", "0x5 1x5"),
        ...patroni("postgres_running", "1x4 0x6", "1x10"),
      },
      alert: "PatroniWithoutPrimary",
      firing: 0,
    },
  ],
  [
    "a standby is not synchronous",
    {
      series: {
        ...patroni("replica", "0x10", "1x10"),
        ...patroni("postgres_running", "1x10", "1x10"),
        ...patroni("sync_standby", "0x10", "0x10"),
      },
      alert: "PatroniNotSynchronous",
      firing: 1,
    },
  ],
  [
    "a standby is gone, which another alert is about",
    {
      series: {
        ...patroni("replica", "0x10", "1x10"),
        ...patroni("postgres_running", "1x10", "0x10"),
        ...patroni("sync_standby", "0x10", "0x10"),
      },
      alert: "PatroniNotSynchronous",
      firing: 0,
    },
  ],
  [
    "Patroni of a node does not reach etcd",
    { series: patroni("dcs_last_seen", "0+60x10", "0x10"), alert: "PatroniWithoutEtcd", firing: 1 },
  ],
  [
    "Patroni reaches etcd every few seconds",
    {
      series: patroni("dcs_last_seen", "0+60x10", "0+60x10"),
      alert: "PatroniWithoutEtcd",
      firing: 0,
    },
  ],
  [
    "somebody has paused Patroni, and gone home",
    {
      series: patroni("is_paused", "1x90", "1x90"),
      alert: "PatroniPaused",
      firing: 1,
      after: "80m",
    },
  ],
  [
    "Patroni is paused for half an hour",
    {
      series: patroni("is_paused", "0x10 1x30 0x50", "0x10 1x30 0x50"),
      alert: "PatroniPaused",
      firing: 0,
      after: "80m",
    },
  ],
  [
    "a setting waits for the restart of a node",
    {
      series: patroni("pending_restart", "1x90", "1x10 0x80"),
      alert: "PatroniRestartPending",
      firing: 1,
      after: "80m",
    },
  ],
  [
    "nodes are restarted one after the other",
    {
      series: patroni("pending_restart", "1x20 0x70", "1x10 0x80"),
      alert: "PatroniRestartPending",
      firing: 0,
      after: "80m",
    },
  ],
];

function patroniUp(instance: string): string {
  return `up{job="patroni",instance="${instance}"}`;
}

/** The series that Patroni reports on each node. */
function patroni(name: string, db1: string, db2: string): Course["series"] {
  const series = (instance: string) =>
    `patroni_${name}{scope="floatdeck",name="${instance}",instance="${instance}"}`;
  return { [series("db1")]: db1, [series("db2")]: db2 };
}
