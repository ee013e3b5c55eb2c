-- runs-with: 1795884600180

-- Which of several clusters this is. An older server knows only the first one.
alter table "installation" add column "cell" integer default 1 not null;
--> statement-breakpoint
alter table "installation" add constraint "installation_cell" check ("installation"."cell" between 1 and 4095);
--> statement-breakpoint

create or replace function keep_installation() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op <> 'UPDATE'
    or (old.installation_id, old.environment, old.cell)
      is distinct from (new.installation_id, new.environment, new.cell) then
    raise exception 'installation_identity: an installation keeps its id, its environment, and its cell'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
