export const ADDRESS_MAX = 500;
