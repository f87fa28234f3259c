/** Runs work one after the other, in the order in which it came, whatever became of the work before. */
export type Serial = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Runs work with the same key one after the other, in order of arrival; different keys side by side. */
export interface Queues {
  run<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
  /** True while something runs or waits under `key`. */
  busy(key: string): boolean;
}

export function createQueues(): Queues {
  const tails = new Map<string, Promise<unknown>>();
  return {
    busy: (key) => tails.has(key),
    run(key, work) {
      const result = (tails.get(key) ?? Promise.resolve()).then(work);
      const tail = result.then(
        () => undefined,
        () => undefined,
      );
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return result;
    },
  };
}
