ALTER TABLE "integrators" ADD COLUMN "program_name" text;--> statement-breakpoint
ALTER TABLE "integrators" ADD COLUMN "card_color" text;--> statement-breakpoint
ALTER TABLE "integrators" ADD CONSTRAINT "integrators_card_color" CHECK ("integrators"."card_color" ~ '^#[0-9a-f]{6}$');