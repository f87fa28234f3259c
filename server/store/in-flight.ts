export interface InFlight {
  /** The promise, known until it settles. */
  track<Value>(promise: Promise<Value>): Promise<Value>;
  /** Rejects everything that has not settled yet. */
  reject(error: Error): void;
  /** Resolves when everything that was in flight has settled either way. */
  settled(): Promise<void>;
}

/** Knows what has begun and not ended, so that it can be waited for or given up. */
export function createInFlight(): InFlight {
  const jobs = new Set<{ readonly result: Promise<unknown>; reject(error: Error): void }>();
  return Object.freeze({
    track<Value>(promise: Promise<Value>): Promise<Value> {
      const { promise: result, resolve, reject } = Promise.withResolvers<Value>();
      const job = { result, reject };
      jobs.add(job);
      promise.then(resolve, reject).finally(() => jobs.delete(job));
      return result;
    },
    reject(error: Error): void {
      for (const job of jobs) job.reject(error);
    },
    async settled(): Promise<void> {
      await Promise.allSettled([...jobs].map((job) => job.result));
    },
  });
}
