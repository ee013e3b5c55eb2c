/** The operations of the contract that read, all of which torture sends, except for those that are left out. */
const READS = [
  "exportAuditLog",
  "exportCardStatement",
  "exportCards",
  "exportFloatEntries",
  "exportFloatStatement",
  "exportTransactions",
  "getAccount",
  "getAccountVersion",
  "getCard",
  "getCardStatement",
  "getClock",
  "getEvent",
  "getFloat",
  "getFloatStatement",
  "getIdempotencyKey",
  "getMissedWebhookDeliveries",
  "getTransaction",
  "getTransactionById",
  "getUser",
  "getWebhookDelivery",
  "getWebhookEndpoint",
  "getWebhooks",
  "listApiKeys",
  "listApiLog",
  "listAuditLog",
  "listCardActivity",
  "listCardTransactions",
  "listCards",
  "listDeprecations",
  "listEvents",
  "listFloatEntries",
  "listInbox",
  "listStaff",
  "listTransactions",
  "listUsers",
  "listWebhookDeliveries",
  "listWebhookEndpoints",
  "previewAutoFreezeSettings",
  "previewIdleFreezeSettings",
  "readLink",
] as const;

/** The operations of the contract that change something, each with the names that the history has for its requests. */
const CHANGES = {
  acceptInvitation: ["acceptInvitation"],
  advanceClock: ["advance"],
  archiveUser: ["archiveUser"],
  beginSecondFactor: ["beginSecondFactor"],
  changePassword: ["changePassword"],
  changeRole: ["changeRole"],
  closeCard: ["closeCard"],
  confirmSelf: ["confirmSelf"],
  createApiKey: ["createApiKey"],
  createAuthorization: ["network_authorize"],
  createCapture: ["network_capture"],
  createFunding: ["funding"],
  createPosting: ["network_posting"],
  createInbox: ["createInbox"],
  createIncrement: ["network_increment"],
  createNote: ["note"],
  createRefund: ["network_refund"],
  createReversal: ["network_reversal"],
  createReversalByReference: [
    "network_reversal_by_reference",
    "network_purchase_taken_back",
    "network_refund_taken_back",
  ],
  createVirtualCard: ["issue"],
  createWebhookEndpoint: ["createWebhookEndpoint"],
  creditCard: ["credit"],
  debitCard: ["debit"],
  deleteWebhookEndpoint: ["deleteWebhookEndpoint"],
  disableSecondFactor: ["disableSecondFactor"],
  enableSecondFactor: ["enableSecondFactor"],
  enableWebhooks: ["enableWebhooks"],
  exemptApiKey: ["exemptApiKey"],
  freezeCard: ["freeze"],
  inviteStaff: ["inviteStaff"],
  makePasswordReset: ["makePasswordReset"],
  mockTransaction: [
    "deduct",
    "authorize",
    "verification",
    "increment",
    "capture",
    "posting",
    "reversal",
    "expire",
    "refund",
    "deduct-reversal",
  ],
  recoverWebhookDeliveries: ["recoverWebhookDeliveries"],
  registerUser: ["register_user"],
  removeStaff: ["removeStaff"],
  replaceCard: ["replaceCard"],
  requireSecondFactor: ["requireSecondFactor"],
  resendWebhookDelivery: ["resendWebhookDelivery"],
  resetClock: ["resetClock"],
  resetPassword: ["resetPassword"],
  revealWebhookSecret: ["revealWebhookSecret"],
  revokeApiKey: ["revokeApiKey"],
  revokeInvitation: ["revokeInvitation"],
  revokeOtherSessions: ["revokeOtherSessions"],
  revokeOwnSession: ["revokeOwnSession"],
  revokeSessions: ["revokeSessions"],
  rotateApiKey: ["rotateApiKey"],
  rotateWebhookSecret: ["rotateWebhookSecret"],
  sendTestWebhook: ["sendTestWebhook"],
  topUpCard: ["top_up_card"],
  topUpFloat: ["top-up"],
  unarchiveUser: ["unarchiveUser"],
  unfreezeCard: ["unfreeze"],
  updateAccount: ["move_webhooks", "switch_webhooks_off"],
  updateCard: ["metadata"],
  updateSettings: ["updateSettings"],
  updateUser: ["updateUser"],
  updateWebhookEndpoint: ["updateWebhookEndpoint"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The history's name for a request. Trying out a key reads the account. */
export type RequestName =
  | (typeof READS)[number]
  | (typeof CHANGES)[keyof typeof CHANGES][number]
  | "use_key";

/** Each operation of the contract that torture sends, with the names that the history has for its requests. */
export const DRIVEN: Readonly<Record<string, readonly string[]>> = {
  ...CHANGES,
  ...Object.fromEntries(READS.map((id) => [id, [id]])),
  getAccount: ["getAccount", "use_key"],
};

/** The operations of the contract that torture does not send, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "cancelBulkJob",
      "createBulkJob",
      "exportBulkResults",
      "getBulkJob",
      "listBulkJobs",
      "listBulkResults",
    ].map((id) => [
      id,
      "changes cards at times that the history does not know; bulk.fault.ts kills servers while they do jobs",
    ]),
  ),
  eraseUser:
    "takes away what tells the changes of a cardholder apart; erasure.fault.ts kills servers while they erase",
  getLiveness: "answers without the database; database.fault.ts asks for it during each fault",
  getLoggedRequest: "requests are logged after their answers, and a killed server loses its last",
  getOpenApi: "a document that is the same for everyone",
  listMerchantCategories: "a list that is the same for everyone",
  getReadiness: "the run itself waits for it",
  ...Object.fromEntries(
    ["createView", "deleteView", "listViews", "updateView"].map((id) => [
      id,
      "moves no money, and nothing else depends on it; views.test.ts lets two people save at once",
    ]),
  ),
  ...Object.fromEntries(
    ["approveApproval", "cancelApproval", "getApproval", "listApprovals", "rejectApproval"].map(
      (id) => [
        id,
        "the accounts of a run need no second person; decided-moves.test.ts lets two people decide at once",
      ],
    ),
  ),
  backtestCards: "replays what the history has; backtest.test.ts compares it with a second account",
  updateCardSpendingControls:
    "what declines depends on the clock; limits-model.test.ts compares each decision with a model",
  chooseMessages: "moves no money, and nothing else depends on it",
  forgotPassword:
    "its links are mailed, and the run reads no mail; forgotten-password.test.ts uses one",
  listMessages:
    "what it lists changes as messages are sent; mailer.test.ts ends workers and mail servers meanwhile",
  registerIntegrator:
    "sent once for each integrator before the run; a repeat after a lost answer finds the email taken",
};

const READING: ReadonlySet<string> = new Set([...READS, "use_key"]);

/** Whether a request of this name changes nothing. */
export function isRead(name: string): boolean {
  return READING.has(name);
}

/** The operations without an acknowledged request in the history. */
export function findNeverAcknowledged(names: ReadonlySet<string>): string[] {
  return Object.entries(DRIVEN)
    .filter(([, own]) => !own.some((name) => names.has(name)))
    .map(([id]) => id);
}
