import { configureDatabase } from "#db/client.ts";

/** Preloaded into `next start`, which does not open the pool itself; the routes find it on the global object. */
configureDatabase(process.env["DATABASE_URL"] ?? "");
