import { hostname, userInfo } from "node:os";
import { beginReadOnly, describeStop, endReadOnly } from "#lib/operator/read-only.ts";
import {
  resumeIntegrator,
  startIntegrator,
  stopIntegrator,
  suspendIntegrator,
} from "#lib/operator/suspension.ts";
import { newOrigin, onInstallation } from "./command.ts";
import type { Command, Input, Result } from "./command.ts";
import type { Installation } from "./installation.ts";

async function suspend({ db }: Installation, { id }: Input): Promise<Result> {
  const at = await suspendIntegrator(db, { request: newOrigin(), id });
  return {
    text: `Integrator ${id} has been suspended since ${at.toISOString()}: its cards decline all new authorizations and purchases.`,
    json: { id, suspended_at: at },
  };
}

async function resume({ db }: Installation, { id }: Input): Promise<Result> {
  await resumeIntegrator(db, { request: newOrigin(), id });
  return { text: `Integrator ${id} is active.`, json: { id, suspended_at: null } };
}

async function stop({ db }: Installation, { id }: Input): Promise<Result> {
  const at = await stopIntegrator(db, { request: newOrigin(), id });
  return {
    text: `Integrator ${id} has been stopped since ${at.toISOString()}: it can change nothing, and its cards decline. No earlier change is under way.`,
    json: { id, stopped_at: at },
  };
}

async function start({ db }: Installation, { id }: Input): Promise<Result> {
  await startIntegrator(db, { request: newOrigin(), id });
  return { text: `Integrator ${id} may change things again.`, json: { id, stopped_at: null } };
}

async function switchOn({ db }: Installation): Promise<Result> {
  const stopped = await beginReadOnly(db, `${findAccount()}@${hostname()}`);
  return {
    text: `${describeStop(stopped)} No earlier change is under way.`,
    json: { read_only_since: stopped.at, read_only_by: stopped.by },
  };
}

async function switchOff({ db }: Installation): Promise<Result> {
  await endReadOnly(db);
  return { text: "Changes are allowed.", json: { read_only_since: null, read_only_by: null } };
}

/** The account that runs this command. In a container, it may have a number but no name. */
function findAccount(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** The commands that stop changes, of one integrator and of all, and allow them again. */
export const STOPS: readonly Command[] = [
  {
    words: ["integrator", "suspend"],
    summary:
      "Decline all new authorizations and purchases on an integrator's cards until it is resumed",
    takesId: true,
    options: {},
    run: onInstallation(suspend),
  },
  {
    words: ["integrator", "resume"],
    summary: "Let a suspended integrator's cards spend again",
    takesId: true,
    options: {},
    run: onInstallation(resume),
  },
  {
    words: ["integrator", "stop"],
    summary: "Refuse every change of an integrator, and decline on its cards, until it is started",
    takesId: true,
    options: {},
    run: onInstallation(stop),
  },
  {
    words: ["integrator", "start"],
    summary: "Let a stopped integrator change things again",
    takesId: true,
    options: {},
    run: onInstallation(start),
  },
  {
    words: ["read-only", "on"],
    summary: "Refuse every change of everybody, on all servers at once; reads and webhooks go on",
    options: {},
    run: onInstallation(switchOn),
  },
  {
    words: ["read-only", "off"],
    summary: "Allow changes again",
    options: {},
    run: onInstallation(switchOff),
  },
];
