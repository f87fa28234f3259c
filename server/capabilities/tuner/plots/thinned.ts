/** A series of bounded length, however much it was offered: every `stride`-th one is kept. */
export interface Thinned<Point> {
  readonly stride: number;
  /** Number of offered items. */
  readonly offered: number;
  readonly points: readonly Point[];
}

/** Points kept at most; enough for a line 600 pixels wide. */
export const POINT_LIMIT = 200;

export function createThinned<Point>(): Thinned<Point> {
  return { stride: 1, offered: 0, points: [] };
}

/** The series after one more point, which is made only if it is kept. When there are too many, every other one goes. */
export function offer<Point>(series: Thinned<Point>, make: () => Point): Thinned<Point> {
  const { stride, points } = series;
  const offered = series.offered + 1;
  if (series.offered % stride !== 0) return { ...series, offered };
  const next = [...points, make()];
  if (next.length <= POINT_LIMIT) return { stride, offered, points: next };
  return { stride: stride * 2, offered, points: next.filter((_, place) => place % 2 === 0) };
}
