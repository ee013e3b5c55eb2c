-- runs-with: 1795884600180

-- A key that two people let move funds alone. To an older server, its large moves wait for approval as before.
alter table "api_keys" add column "exempted_at" timestamp (3) with time zone;
