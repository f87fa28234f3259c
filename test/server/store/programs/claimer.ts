import { openWhenTold, say } from "./program.ts";

// Claims everything there is in the queue `["q"]`, several claims at a time, and says the values.
const { store } = await openWhenTold();
const values: unknown[] = [];
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (;;) {
      const claimed = await store.claim({ queue: ["q"], leaseMs: 600_000, limit: 3 });
      if (claimed.length === 0) return;
      values.push(...claimed.map(({ value }) => value));
    }
  }),
);
await store.admin.close();
say(values);
