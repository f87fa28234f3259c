/** In units of the currency for one euro. */
export const RATES: Readonly<Record<string, number>> = { EUR: 1, GBP: 0.86, CHF: 0.94 };
