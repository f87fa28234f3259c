/** Between which values something lies; both ends belong to it. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}
