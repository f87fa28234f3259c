/** With CAIRN_LONG=1 property and fault tests go on for minutes instead of seconds. */
export const LONG = Boolean(process.env.CAIRN_LONG);

/** For tests that go on longer then. */
export const LIMIT_MS = LONG ? 20 * 60_000 : 240_000;
