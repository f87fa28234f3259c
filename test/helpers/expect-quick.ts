import { expect } from "vitest";

/** Text whose parsing says how fast the processor and its memory are. */
const REFERENCE = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `n${id}`, list: [1, 2, 3] })));
/** Milliseconds that parsing it takes on a machine that the limits of tests are meant for. */
const USUAL = 7;
const ROUNDS = 5;

/**
 * What `act` comes to, which must take at most so many milliseconds of processor time: unlike the clock on the wall, that is the
 * same on a busy machine. On a slow one it may take as many times longer as the reference does.
 */
export async function expectQuick<T>(limit: number, act: () => T | Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await act();
  const taken = readTime(before);
  if (taken >= limit) expect(taken).toBeLessThan(limit * measureSlowness());
  return result;
}

/** Times that this machine takes longer than the usual one, at least 1; its best of some rounds, which others disturb least. */
function measureSlowness(): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    JSON.parse(REFERENCE);
    return readTime(before);
  });
  return Math.max(1, Math.min(...rounds) / USUAL);
}

function readTime(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
