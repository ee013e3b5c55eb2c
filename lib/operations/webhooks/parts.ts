export const NOTIFICATIONS_OFF = ["webhook_url_missing", "notifications_switched_off"] as const;
