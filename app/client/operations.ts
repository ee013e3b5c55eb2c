/**
 * The operations that pages perform, each fetched with its schemas when it is first needed: a page's first load carries
 * none of them.
 */
export const OPERATIONS = {
  createApiKey: () =>
    import("#lib/api/contract/access.ts").then((contract) => contract.createApiKey),
  revokeApiKey: () =>
    import("#lib/api/contract/access.ts").then((contract) => contract.revokeApiKey),
  getAccount: () => import("#lib/api/contract/account.ts").then((contract) => contract.getAccount),
  getAccountVersion: () =>
    import("#lib/api/contract/account.ts").then((contract) => contract.getAccountVersion),
  registerIntegrator: () =>
    import("#lib/api/contract/account.ts").then((contract) => contract.registerIntegrator),
  updateAccount: () =>
    import("#lib/api/contract/account.ts").then((contract) => contract.updateAccount),
  updateSettings: () =>
    import("#lib/api/contract/account.ts").then((contract) => contract.updateSettings),
  archiveUser: () =>
    import("#lib/api/contract/cardholders.ts").then((contract) => contract.archiveUser),
  listUsers: () =>
    import("#lib/api/contract/cardholders.ts").then((contract) => contract.listUsers),
  registerUser: () =>
    import("#lib/api/contract/cardholders.ts").then((contract) => contract.registerUser),
  unarchiveUser: () =>
    import("#lib/api/contract/cardholders.ts").then((contract) => contract.unarchiveUser),
  updateUser: () =>
    import("#lib/api/contract/cardholders.ts").then((contract) => contract.updateUser),
  advanceClock: () =>
    import("#lib/api/contract/clock.ts").then((contract) => contract.advanceClock),
  resetClock: () => import("#lib/api/contract/clock.ts").then((contract) => contract.resetClock),
  closeCard: () => import("#lib/api/contract/cards.ts").then((contract) => contract.closeCard),
  createVirtualCard: () =>
    import("#lib/api/contract/cards.ts").then((contract) => contract.createVirtualCard),
  freezeCard: () => import("#lib/api/contract/cards.ts").then((contract) => contract.freezeCard),
  getCard: () => import("#lib/api/contract/cards.ts").then((contract) => contract.getCard),
  listApiLog: () => import("#lib/api/contract/access.ts").then((contract) => contract.listApiLog),
  listCards: () => import("#lib/api/contract/cards.ts").then((contract) => contract.listCards),
  unfreezeCard: () =>
    import("#lib/api/contract/cards.ts").then((contract) => contract.unfreezeCard),
  updateCard: () => import("#lib/api/contract/cards.ts").then((contract) => contract.updateCard),
  creditCard: () => import("#lib/api/contract/funds.ts").then((contract) => contract.creditCard),
  debitCard: () => import("#lib/api/contract/funds.ts").then((contract) => contract.debitCard),
  topUpFloat: () => import("#lib/api/contract/funds.ts").then((contract) => contract.topUpFloat),
  getIdempotencyKey: () =>
    import("#lib/api/contract/idempotency.ts").then((contract) => contract.getIdempotencyKey),
  createInbox: () =>
    import("#lib/api/contract/sandbox-inbox.ts").then((contract) => contract.createInbox),
  acceptInvitation: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.acceptInvitation),
  beginSecondFactor: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.beginSecondFactor),
  changePassword: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.changePassword),
  changeRole: () => import("#lib/api/contract/staff.ts").then((contract) => contract.changeRole),
  confirmSelf: () => import("#lib/api/contract/staff.ts").then((contract) => contract.confirmSelf),
  disableSecondFactor: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.disableSecondFactor),
  enableSecondFactor: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.enableSecondFactor),
  inviteStaff: () => import("#lib/api/contract/staff.ts").then((contract) => contract.inviteStaff),
  makePasswordReset: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.makePasswordReset),
  readLink: () => import("#lib/api/contract/staff.ts").then((contract) => contract.readLink),
  removeStaff: () => import("#lib/api/contract/staff.ts").then((contract) => contract.removeStaff),
  requireSecondFactor: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.requireSecondFactor),
  resetPassword: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.resetPassword),
  revokeInvitation: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.revokeInvitation),
  revokeOtherSessions: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.revokeOtherSessions),
  revokeOwnSession: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.revokeOwnSession),
  revokeSessions: () =>
    import("#lib/api/contract/staff.ts").then((contract) => contract.revokeSessions),
  listTransactions: () =>
    import("#lib/api/contract/transactions.ts").then((contract) => contract.listTransactions),
  mockTransaction: () =>
    import("#lib/api/contract/transactions.ts").then((contract) => contract.mockTransaction),
  getEvent: () => import("#lib/api/contract/webhooks.ts").then((contract) => contract.getEvent),
  enableWebhooks: () =>
    import("#lib/api/contract/webhooks.ts").then((contract) => contract.enableWebhooks),
  recoverWebhookDeliveries: () =>
    import("#lib/api/contract/webhooks.ts").then((contract) => contract.recoverWebhookDeliveries),
  resendWebhookDelivery: () =>
    import("#lib/api/contract/webhooks.ts").then((contract) => contract.resendWebhookDelivery),
  revealWebhookSecret: () =>
    import("#lib/api/contract/webhooks.ts").then((contract) => contract.revealWebhookSecret),
  rotateWebhookSecret: () =>
    import("#lib/api/contract/webhooks.ts").then((contract) => contract.rotateWebhookSecret),
  sendTestWebhook: () =>
    import("#lib/api/contract/webhooks.ts").then((contract) => contract.sendTestWebhook),
} as const;
