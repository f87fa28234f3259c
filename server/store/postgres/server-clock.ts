export interface ServerClock {
  /** Milliseconds since 1970 by the server's clock; never less than before. */
  now(): number;
  /** Hears what the server's clock says at this moment. */
  hear(server: number): number;
}

/** Goes on by itself between two words of the server, so that reads need not ask. `elapsed`: milliseconds that nobody can set. */
export function createServerClock(elapsed: () => number): ServerClock {
  let offset = Number.NEGATIVE_INFINITY;
  let last = 0;
  const now = () => (last = Math.max(last, Math.floor(elapsed() + offset)));
  return Object.freeze({
    now,
    hear(server: number) {
      offset = server - elapsed();
      return (last = Math.max(last, server));
    },
  });
}
