export const NOW = "2026-11-29T07:56:40.105Z";

export const AHEAD = { now: NOW, offset_seconds: 691_200, advancing_to: null };
