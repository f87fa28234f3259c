import { expect } from "vitest";

/**
 * What `act` comes to, which must take at most so many milliseconds of processor time: unlike the clock on the wall,
 * that is the same on a busy machine.
 */
export async function expectQuick<T>(limit: number, act: () => T | Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await act();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(limit);
  return result;
}
