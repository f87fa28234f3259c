/** 1-based; columns count UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export const START: Position = Object.freeze({ line: 1, column: 1 });

/** Turns offsets in `text` into positions. */
export function createPositions(text: string): (offset: number) => Position {
  let starts: readonly number[] | undefined;
  return (offset) => {
    if (offset === 0) return START;
    starts ??= [0, ...[...text.matchAll(/\r\n?|\n/g)].map(({ index, 0: lineBreak }) => index + lineBreak.length)];
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
