-- runs-with: 1795884600180

-- An undo of spending controls. A server that does not know such undoes cannot end their items: it leaves them to one that does.
alter table "bulk_items" add column "restores_controls" jsonb;
--> statement-breakpoint
alter table "bulk_items" add column "replaced_controls" jsonb;
--> statement-breakpoint
alter table "bulk_items" add constraint "bulk_items_restores_controls"
  check ("bulk_items"."state" = 'waiting' or "bulk_items"."restores_controls" is null) not valid;
