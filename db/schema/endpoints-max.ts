/** How many webhook endpoints an integrator may have, including that of its `webhook_url`. */
export const ENDPOINTS_MAX = 5;
