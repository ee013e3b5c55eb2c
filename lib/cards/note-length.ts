/** How many characters a note may have. Pages read it, too. */
export const NOTE_LENGTH_MAX = 500;
