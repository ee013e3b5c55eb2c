export const TWO_FACTOR = "two-factor authentication";
