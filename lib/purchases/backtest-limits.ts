/** How many days a backtest looks back at most. */
export const BACKTEST_DAYS_MAX = 90;

/** How many questions a backtest replays at most: the newest. */
export const BACKTEST_QUESTIONS_MAX = 200_000;
