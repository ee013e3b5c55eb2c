/** The most days that a backtest looks back. */
export const BACKTEST_DAYS_MAX = 90;

/** The most questions that a backtest replays. If there are more, it replays the newest. */
export const BACKTEST_QUESTIONS_MAX = 200_000;
