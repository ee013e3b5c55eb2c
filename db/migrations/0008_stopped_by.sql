-- runs-with: 1795884600180

-- Who stopped all changes of the installation. An older server stops them without saying who.
alter table "installation" add column "read_only_by" text;
