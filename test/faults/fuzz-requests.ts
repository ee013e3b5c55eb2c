import { toKind, toUsual } from "./fuzz-tenant.ts";
import type { Kind, Tenant } from "./fuzz-tenant.ts";
import { Breakage } from "./fuzz-breakage.ts";
import type { DocumentedOperation, OpenApiDocument } from "./fuzz-document.ts";
import type { Random } from "./fuzz-random.ts";
import type { Sent } from "./fuzz-wire.ts";
import { Values } from "./fuzz-values.ts";

const WHOLE_SHARE = 0.5;
const QUERY_SHARE = 0.25;
const SESSION_SHARE = 0.1;
const KEYED_SHARE = 0.3;
const CONDITIONAL_SHARE = 0.3;

/**
 * What a new integrator requests first, in this order: by chance alone, hardly any card would have a purchase to
 * refund, and hardly any integrator a delivery to resend.
 */
const OPENING: readonly string[] = [
  "registerUser",
  "createVirtualCard",
  "topUpFloat",
  "topUpFloat",
  "topUpFloat",
  "creditCard",
  "creditCard",
  "creditCard",
  "getApproval",
  "rejectApproval",
  "cancelApproval",
  "approveApproval",
  "approveApproval",
  "approveApproval",
  "createAuthorization",
  "createCapture",
  "createRefund",
  "createAuthorization",
  "createIncrement",
  "createReversal",
  "mockTransaction",
  "updateAccount",
  "updateAccount",
  "sendTestWebhook",
  "getWebhookDelivery",
  "resendWebhookDelivery",
  "recoverWebhookDeliveries",
  "inviteStaff",
  "acceptInvitation",
  "listStaff",
  "changeRole",
  "removeStaff",
  "listApiLog",
  "getLoggedRequest",
  // A second factor ends the other sessions.
  "revokeOwnSession",
  "beginSecondFactor",
  "enableSecondFactor",
  "disableSecondFactor",
];

/** What the requester must not do. */
const DECISIONS = new Set(["approveApproval", "rejectApproval"]);

/** The integrator whose requests are made, and its credentials. */
export interface Casting {
  tenant: Tenant;
  /** Another integrator, whose ids must stay out of reach. */
  stranger: Tenant | null;
  processorKey: string;
}

/** A request, and whether it is still valid by the document. */
export interface Made extends Sent {
  operation: DocumentedOperation;
  isWhole: boolean;
  /** The body; undefined if there is none or it is broken. */
  members: object | null;
}

/** Creates requests: half of them valid by the document, the others broken in one or two places. */
export class Requests {
  private readonly random: Random;
  private readonly operations: readonly DocumentedOperation[];
  private readonly values: Values;
  private readonly breakage: Breakage;
  private casting: Casting | undefined;

  constructor(
    random: Random,
    contract: { operations: readonly DocumentedOperation[]; document: OpenApiDocument },
  ) {
    this.random = random;
    this.operations = contract.operations;
    const { schemas } = contract.document.components;
    this.values = new Values(
      random,
      schemas,
      toUsual(() => this.requireCasting().tenant, random),
    );
    this.breakage = new Breakage(random, contract.operations);
  }

  /** @param age how many requests the tenant has sent so far. */
  next(casting: Casting, age: number): Made {
    const whole = this.nextWhole(casting, age);
    if (age < OPENING.length || this.random.chance(WHOLE_SHARE)) {
      return whole;
    }
    const broken = this.breakage.apply(whole, casting);
    return this.random.chance(0.3) ? this.breakage.apply(broken, casting) : broken;
  }

  /** A valid request by the document. */
  nextWhole(casting: Casting, age: number): Made {
    this.casting = casting;
    const operation =
      this.operations.find(({ id }) => id === OPENING[age]) ?? this.random.pick(this.operations);
    const { path, method, body } = operation;
    const members = body ? Object(this.values.make("", body)) : null;
    return {
      operation,
      isWhole: true,
      method,
      target: `/api${path.replace("{id}", () => this.toId(toKind(operation)))}${this.toQuery(operation)}`,
      headers: this.toHeaders(operation),
      members,
      body: members && JSON.stringify(members),
    };
  }

  private requireCasting(): Casting {
    if (!this.casting) {
      throw new Error("No request is being made.");
    }
    return this.casting;
  }

  private toId(kind: Kind): string {
    const { [kind]: known } = this.requireCasting().tenant.known;
    return known.length > 0 ? this.random.pick(known) : this.random.uuid();
  }

  private toQuery({ query }: DocumentedOperation): string {
    const asked = new URLSearchParams();
    for (const { name, schema } of query) {
      const value = this.random.chance(QUERY_SHARE) ? this.values.make(name, schema) : null;
      if (typeof value === "string" || typeof value === "number" || Array.isArray(value)) {
        asked.set(name, String(value));
      }
    }
    return asked.size > 0 ? `?${asked}` : "";
  }

  private toHeaders(operation: DocumentedOperation): Record<string, string> {
    const { body, method, takesIfMatch } = operation;
    return {
      "X-Forwarded-For": this.random.address(),
      ...this.toCredential(operation),
      ...(body ? { "Content-Type": "application/json" } : {}),
      ...(method !== "GET" && this.random.chance(KEYED_SHARE)
        ? { "Idempotency-Key": this.random.chance(0.2) ? "same" : this.random.uuid() }
        : {}),
      ...(takesIfMatch && this.random.chance(CONDITIONAL_SHARE)
        ? { "If-Match": this.random.pick(["*", '"another"']) }
        : {}),
    };
  }

  private toCredential({ id, credentials, scope }: DocumentedOperation): Record<string, string> {
    const { tenant, processorKey } = this.requireCasting();
    if (DECISIONS.has(id) && tenant.second) {
      return { ...tenant.second };
    }
    if (scope === "processor") {
      return { Authorization: `Bearer ${processorKey}` };
    }
    const isSession =
      credentials.includes("session") &&
      (!credentials.includes("apiKey") || this.random.chance(SESSION_SHARE));
    if (isSession) {
      return { ...tenant.session };
    }
    return credentials.length > 0 ? { Authorization: `Bearer ${tenant.apiKey}` } : {};
  }
}
