/** What became of a message, and what that means. */
export const MESSAGE_STATES = {
  waiting: "It is sent as soon as the mail server takes it.",
  sent: "The mail server has taken it.",
  failed: "The mail server did not take it.",
  kept: "There is no mail server, so nobody has got it.",
  withdrawn: "It no longer applied before it was sent.",
} as const;

export type MessageState = keyof typeof MESSAGE_STATES;
