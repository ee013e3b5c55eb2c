// Written by npm run generate.
import { approvalDecided } from "#lib/messages/internal/kinds/approval-decided.ts";
import { approvalWaiting } from "#lib/messages/internal/kinds/approval-waiting.ts";
import { cardStopped } from "#lib/messages/internal/kinds/card-stopped.ts";
import { floatDeficit } from "#lib/messages/internal/kinds/float-deficit.ts";
import { floatLow } from "#lib/messages/internal/kinds/float-low.ts";
import { floatRecovered } from "#lib/messages/internal/kinds/float-recovered.ts";
import { floatRepaid } from "#lib/messages/internal/kinds/float-repaid.ts";
import { jobRefused } from "#lib/messages/internal/kinds/job-refused.ts";
import { spendingResumed } from "#lib/messages/internal/kinds/spending-resumed.ts";
import { spendingStopped } from "#lib/messages/internal/kinds/spending-stopped.ts";
import { apiKeyCreated } from "#lib/messages/kinds/api-key-created.ts";
import { cardsDeclining } from "#lib/messages/kinds/cards-declining.ts";
import { endpointBack } from "#lib/messages/kinds/endpoint-back.ts";
import { endpointFailing } from "#lib/messages/kinds/endpoint-failing.ts";
import { endpointOff } from "#lib/messages/kinds/endpoint-off.ts";
import { newBrowser } from "#lib/messages/kinds/new-browser.ts";
import { passwordChanged } from "#lib/messages/kinds/password-changed.ts";
import { passwordLink } from "#lib/messages/kinds/password-link.ts";
import { roleChanged } from "#lib/messages/kinds/role-changed.ts";
import { secondFactorChanged } from "#lib/messages/kinds/second-factor-changed.ts";
import { staffInvited } from "#lib/messages/kinds/staff-invited.ts";

/** Every kind of message. */
export const MESSAGE_KINDS = [
  approvalDecided,
  approvalWaiting,
  cardStopped,
  floatDeficit,
  floatLow,
  floatRecovered,
  floatRepaid,
  jobRefused,
  spendingResumed,
  spendingStopped,
  apiKeyCreated,
  cardsDeclining,
  endpointBack,
  endpointFailing,
  endpointOff,
  newBrowser,
  passwordChanged,
  passwordLink,
  roleChanged,
  secondFactorChanged,
  staffInvited,
];
