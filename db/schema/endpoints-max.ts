/** How many webhook endpoints an integrator may have, that of its `webhook_url` included. */
export const ENDPOINTS_MAX = 5;
