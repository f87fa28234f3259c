import { vi } from "vitest";

/** As `eventually`, for what several processes and a whole verification have a part in. */
export function patiently<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 90_000, interval: 50 });
}
