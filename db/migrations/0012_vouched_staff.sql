ALTER TABLE "integrators" ADD COLUMN "vouched" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "integrators" ADD CONSTRAINT "integrators_vouched" UNIQUE("vouched","id");--> statement-breakpoint
ALTER TABLE "staff" ADD COLUMN "email_vouched" boolean DEFAULT false NOT NULL;--> statement-breakpoint
DROP INDEX "staff_email";--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree (lower("email"),"email_vouched") WHERE "staff"."removed_at" is null;--> statement-breakpoint
-- Every row agrees, as both defaults do: `migrate` looks at them without keeping anybody from writing.
ALTER TABLE "staff" ADD CONSTRAINT "staff_vouched" FOREIGN KEY ("integrator_id","email_vouched") REFERENCES "public"."integrators"("id","vouched") ON DELETE no action ON UPDATE cascade NOT VALID;--> statement-breakpoint

create function set_staff_vouched() returns trigger language plpgsql as $$
begin
  -- Locked against being vouched for in between. An unknown integrator is the other foreign key's to refuse.
  new.email_vouched := coalesce(
    (select vouched from integrators where id = new.integrator_id for key share), false);
  return new;
end $$;
--> statement-breakpoint
create trigger staff_vouched_set before insert on staff
  for each row execute function set_staff_vouched();
--> statement-breakpoint

-- The operator made every live integrator, and in a sandbox those that its command line or its demo registered, without an
-- address. Whoever cannot be told counts as signed up; `floatdeck integrator vouch` corrects it. The foreign key passes it
-- on to staff.
UPDATE "integrators" SET "vouched" = true
WHERE "environment" = 'live' OR EXISTS (
  SELECT FROM "audit_log"
  WHERE "integrator_id" = "integrators"."id" AND "target_id" = "integrators"."id"
    AND "action" = 'account.registered' AND "address" IS NULL
    AND "agent" IN ('floatdeck', 'demo'));
