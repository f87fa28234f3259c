interface Job<Seen> {
  readonly work: (seen: Seen) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects what is to be done in transactions. */
export interface Turn<Seen> {
  /** `seen` is one object for all work of a transaction, which tells later work what earlier work has found. */
  add<Result>(work: (seen: Seen) => Result): Promise<Result>;
}

/**
 * Does all work of one turn of the event loop in one transaction, because a transaction costs more than most of what is
 * done in one. When some of it throws, nothing of the turn is done, and each is done again alone: whatever is added has
 * to bear that. `toCause` tells what an engine's error comes to.
 */
export function createTurn<Seen>(
  transact: <Result>(work: () => Result) => Promise<Result>,
  toCause: (error: unknown) => Promise<unknown>,
  createSeen: () => Seen,
): Turn<Seen> {
  let jobs: Job<Seen>[] = [];

  async function run(group: readonly Job<Seen>[]): Promise<void> {
    let thrown: { readonly error: unknown } | undefined;
    const work = () => {
      try {
        const seen = createSeen();
        return group.map((job) => job.work(seen));
      } catch (error) {
        thrown = { error };
        throw error;
      }
    };
    try {
      const results = await transact(work);
      group.forEach(({ resolve }, at) => resolve(results[at]));
    } catch (error) {
      if (thrown !== undefined && group.length > 1) {
        for (const job of group) void run([job]);
      } else {
        const cause = await toCause(error);
        for (const { reject } of group) reject(cause);
      }
    }
  }

  return {
    add<Result>(work: (seen: Seen) => Result) {
      return new Promise<Result>((resolve, reject) => {
        if (jobs.length === 0) {
          setImmediate(() => {
            const group = jobs;
            jobs = [];
            void run(group);
          });
        }
        jobs.push({ work, resolve: resolve as Job<Seen>["resolve"], reject });
      });
    },
  };
}
