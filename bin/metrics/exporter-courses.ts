import type { Course } from "./alert-course.ts";
import { PATRONI_COURSES } from "./patroni-courses.ts";
import { ADDRESS_COURSES } from "./address-courses.ts";

const SLOT = 'pg_replication_slots_active{slot_name="db2",instance="db1"}';
const LAG = 'pg_replication_slots_pg_wal_lsn_diff{slot_name="db2",instance="db1"}';
const PRIMARY = { 'pg_replication_is_replica{instance="db1"}': "0x60" };
const FAILED = 'pg_stat_archiver_failed_count{instance="db1"}';
const ARCHIVE_AGE = 'pg_stat_archiver_last_archive_age{instance="db1"}';
const FREE = 'node_filesystem_avail_bytes{fstype="ext4",mountpoint="/"}';
const SIZE = { 'node_filesystem_size_bytes{fstype="ext4",mountpoint="/"}': "1000x600" };
const BACKUP = "floatdeck_last_backup_timestamp_seconds";
const DRILL = "floatdeck_last_restore_drill_timestamp_seconds";
const HOUR = 60;
const DAY = 24 * HOUR;

/** Two courses for each alert on other exporters' metrics: one in which it fires, and one in which it does not. */
export const EXPORTER_COURSES: readonly (readonly [string, Course])[] = [
  [
    "a primary does not answer",
    { series: { pg_up: "1x4 0x6" }, alert: "PostgresqlDown", firing: 1 },
  ],
  ["a primary answers", { series: { pg_up: "1x10" }, alert: "PostgresqlDown", firing: 0 }],
  [
    "a standby is gone",
    { series: { ...PRIMARY, [SLOT]: "1x4 0x6" }, alert: "PostgresqlStandbyMissing", firing: 1 },
  ],
  [
    "a standby has its own unused copy of the slot",
    {
      series: {
        ...PRIMARY,
        'pg_replication_is_replica{instance="db2"}': "1x10",
        [SLOT]: "1x10",
        'pg_replication_slots_active{slot_name="db2",instance="db2"}': "0x10",
      },
      alert: "PostgresqlStandbyMissing",
      firing: 0,
    },
  ],
  [
    "a standby falls behind",
    {
      series: { ...PRIMARY, [LAG]: "0+100000000x20" },
      alert: "PostgresqlStandbyLate",
      firing: 1,
      after: "15m",
    },
  ],
  [
    "a standby is behind for a moment",
    {
      series: { ...PRIMARY, [LAG]: "0x4 300000000x1 0x6" },
      alert: "PostgresqlStandbyLate",
      firing: 0,
    },
  ],
  [
    "no segment can be archived",
    {
      series: { [FAILED]: "0+1x30", [ARCHIVE_AGE]: "0+60x30" },
      alert: "PostgresqlArchiverFails",
      firing: 1,
      after: "30m",
    },
  ],
  [
    "one segment is archived at the second attempt",
    {
      series: { [FAILED]: "0x5 1x25", [ARCHIVE_AGE]: "0x30" },
      alert: "PostgresqlArchiverFails",
      firing: 0,
      after: "30m",
    },
  ],
  [
    "the WAL is kept",
    {
      series: { pg_wal_size_bytes: "0+2000000000x20" },
      alert: "PostgresqlWalGrows",
      firing: 1,
      after: "20m",
    },
  ],
  [
    "the WAL has its usual size",
    {
      series: { pg_wal_size_bytes: "1000000000x20" },
      alert: "PostgresqlWalGrows",
      firing: 0,
      after: "20m",
    },
  ],
  [
    "nothing is frozen",
    {
      series: { pg_database_wraparound_age_datfrozenxid_seconds: "600000000x90" },
      alert: "PostgresqlWraparound",
      firing: 1,
      after: "80m",
    },
  ],
  [
    "autovacuum freezes",
    {
      series: { pg_database_wraparound_age_datfrozenxid_seconds: "210000000x90" },
      alert: "PostgresqlWraparound",
      firing: 0,
      after: "80m",
    },
  ],
  [
    "a disk will be full within a day",
    {
      series: { ...SIZE, [FREE]: "900-1x600" },
      alert: "MachineDiskFillsUp",
      firing: 1,
      after: `${7 * HOUR}m`,
    },
  ],
  [
    "a disk is written to and cleaned",
    {
      series: { ...SIZE, [FREE]: "500x600" },
      alert: "MachineDiskFillsUp",
      firing: 0,
      after: `${7 * HOUR}m`,
    },
  ],
  [
    "a disk is full",
    { series: { ...SIZE, [FREE]: "100x4 40x6" }, alert: "MachineDiskFull", firing: 1 },
  ],
  [
    "a disk has a tenth left",
    { series: { ...SIZE, [FREE]: "100x10" }, alert: "MachineDiskFull", firing: 0 },
  ],
  [
    "all servers behind a proxy are down",
    {
      series: { 'haproxy_backend_active_servers{proxy="api"}': "2x4 0x6" },
      alert: "ProxyWithoutServer",
      firing: 1,
    },
  ],
  [
    "one of two servers is down",
    {
      series: { 'haproxy_backend_active_servers{proxy="api"}': "2x4 1x6" },
      alert: "ProxyWithoutServer",
      firing: 0,
    },
  ],
  [
    "servers end without an answer for minutes",
    { series: proxied("0x20", "0+30x20"), alert: "ProxyErrors", firing: 1, after: "20m" },
  ],
  [
    "a restarted server refuses a few connections",
    { series: proxied("0x8 5x12", "0x20"), alert: "ProxyErrors", firing: 0, after: "20m" },
  ],
  [
    "nobody says when a backup was made",
    { series: { unrelated: "1x30" }, alert: "BackupOld", firing: 1, after: "30m" },
  ],
  [
    "no backup was made today",
    { series: { [BACKUP]: `0x${2 * DAY}` }, alert: "BackupOld", firing: 1, after: `${28 * HOUR}m` },
  ],
  [
    "a backup was made today",
    { series: { [BACKUP]: `0x${2 * DAY}` }, alert: "BackupOld", firing: 0, after: `${20 * HOUR}m` },
  ],
  [
    "no drill was held for six weeks",
    {
      series: { [DRILL]: "0x50" },
      alert: "RestoreDrillOld",
      firing: 1,
      after: "42d",
      interval: "1d",
    },
  ],
  [
    "a drill was held this month",
    {
      series: { [DRILL]: "0x50" },
      alert: "RestoreDrillOld",
      firing: 0,
      after: "30d",
      interval: "1d",
    },
  ],
  ...PATRONI_COURSES,
  ...ADDRESS_COURSES,
];

function proxied(refused: string, unanswered: string): Course["series"] {
  return {
    'haproxy_backend_connection_errors_total{proxy="api"}': refused,
    'haproxy_backend_response_errors_total{proxy="api"}': unanswered,
  };
}
