-- runs-with: 1795884600180

-- Endpoints of chats. A server that does not know them sends them events, which chats refuse, and retries.
alter table "webhook_endpoints" add column "format" text default 'event' not null;
--> statement-breakpoint
alter table "webhook_endpoints" add constraint "webhook_endpoints_format"
  check ("webhook_endpoints"."format" in ('event', 'chat') and ("webhook_endpoints"."format" = 'event' or "webhook_endpoints"."place" > 1));
