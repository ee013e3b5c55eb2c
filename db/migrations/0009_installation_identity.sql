ALTER TABLE "installation" ADD COLUMN "installation_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
-- Which environment a database without the column belongs to, its integrators say: one live one is enough. A database
-- without any holds nothing of either; its next start decides.
ALTER TABLE "installation" ADD COLUMN "environment" text;--> statement-breakpoint
DELETE FROM "installation" WHERE NOT EXISTS (SELECT FROM "integrators");--> statement-breakpoint
UPDATE "installation" SET "environment" =
  CASE WHEN EXISTS (SELECT FROM "integrators" WHERE "environment" = 'live') THEN 'live' ELSE 'sandbox' END;--> statement-breakpoint
ALTER TABLE "installation" ALTER COLUMN "environment" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "capture_tolerance_percent" smallint;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "public_url" text;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "processor_operations_funding" ON "processor_operations" USING btree ("integrator_id","request_id") WHERE operation = 'createFunding';--> statement-breakpoint
ALTER TABLE "installation" ADD CONSTRAINT "installation_one_row" CHECK ("installation"."id" = 'installation');--> statement-breakpoint
ALTER TABLE "installation" ADD CONSTRAINT "installation_environment" CHECK ("installation"."environment" in ('sandbox', 'live'));--> statement-breakpoint
ALTER TABLE "installation" ADD CONSTRAINT "installation_tolerance" CHECK ("installation"."capture_tolerance_percent" between 0 and 100);--> statement-breakpoint

create function keep_installation() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE'
    or (old.installation_id, old.environment) is distinct from (new.installation_id, new.environment) then
    raise exception 'installation_identity: an installation keeps its id and its environment'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger installation_kept before update or delete on installation
  for each row execute function keep_installation();
--> statement-breakpoint

create function check_integrator_environment() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.environment <> new.environment then
      raise exception 'integrators_environment: an integrator keeps its environment'
        using errcode = 'integrity_constraint_violation';
    end if;
  elsif exists (select from installation where environment <> new.environment) then
    raise exception 'integrators_environment: an integrator has the environment of its installation'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger integrators_environment_kept before insert or update of environment on integrators
  for each row execute function check_integrator_environment();
--> statement-breakpoint

-- Outside sandbox money comes into a float only as the processor reports it.
create function check_top_up() returns trigger language plpgsql
  set enable_seqscan = off as $$
begin
  if exists (select from integrators where id = new.integrator_id and environment = 'live')
    and not exists (
      select from processor_operations
      where operation = 'createFunding' and integrator_id = new.integrator_id and request_id = new.request_id
    ) then
    raise exception 'transfers_funding: a live float is topped up by the processor alone'
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
--> statement-breakpoint
create constraint trigger transfers_funding after insert on transfers
  deferrable initially deferred
  for each row when (new.kind = 'float_top_up') execute function check_top_up();
