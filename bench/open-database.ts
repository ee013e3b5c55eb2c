import { configureDatabase } from "#db/client.ts";

/** Loaded before `next start`: the routes find the pool on the global object. */
configureDatabase(process.env["DATABASE_URL"] ?? "");
