import { z } from "zod";
import { approvalFacts } from "#lib/api/contract/approval.ts";

export const APPROVAL_DATA = z.strictObject(approvalFacts).meta({ id: "ApprovalFacts" });
