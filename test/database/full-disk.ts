/** The function of a trigger that refuses a change as PostgreSQL does when it cannot make a file longer. */
export const FILL_DISK = `
  create or replace function fill_disk() returns trigger language plpgsql as
    $$ begin raise sqlstate '53100' using message = 'could not extend file: No space left on device'; end $$`;

/** Refuses every new row of this table, until the trigger `full_disk` is dropped. */
export function fillTable(table: string): string {
  return `${FILL_DISK}; create or replace trigger full_disk before insert on ${table} execute function fill_disk()`;
}
