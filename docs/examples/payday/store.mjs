import { chmodSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const FILE = "payday.db";
const db = new DatabaseSync(FILE);
// It contains the signing secret.
chmodSync(FILE, 0o600);

db.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma busy_timeout = 10000;
  create table if not exists kept (name text primary key, value text not null);
  create table if not exists employees (employee text primary key, card_id text not null unique);
  create table if not exists payments (
    payday text not null,
    employee text not null,
    amount integer not null,
    attempt integer not null default 1,
    state text not null default 'open',
    refusal text,
    primary key (payday, employee)
  );
  create table if not exists reports (id text primary key, employee text not null, state text not null default 'open');
  create table if not exists events (id text primary key, event text not null);
  create table if not exists cards (
    card_id text primary key,
    status text,
    status_sequence integer not null default 0,
    balance integer not null default 0,
    balance_sequence integer not null default 0
  );
`);

/** Runs a statement. @returns how many rows it changed. */
export function run(sql, ...values) {
  return db.prepare(sql).run(...values).changes;
}

export function all(sql, ...values) {
  return db.prepare(sql).all(...values);
}

export function one(sql, ...values) {
  return db.prepare(sql).get(...values);
}

/** All that `work` writes is stored, or nothing. */
export function transaction(work) {
  db.exec("begin immediate");
  try {
    const result = work();
    db.exec("commit");
    return result;
  } catch (error) {
    db.exec("rollback");
    throw error;
  }
}

/** A value that outlives the process. The first one that is given stays. */
export function keep(name, value) {
  run("insert into kept values (?, ?) on conflict do nothing", name, value);
  return find(name);
}

export function find(name) {
  return one("select value from kept where name = ?", name)?.value;
}
