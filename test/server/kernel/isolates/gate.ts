export interface Gate {
  readonly syscall: () => Promise<string>;
  /** Resolves when the syscall was first asked. */
  readonly asked: Promise<void>;
  answer(value: string): void;
  times(): number;
}

/** A syscall that is asked, and then answered when the test says so. */
export function createGate(): Gate {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  let times = 0;
  const syscall = () => {
    times += 1;
    asked.resolve();
    return answer.promise;
  };
  return { syscall, asked: asked.promise, answer: answer.resolve, times: () => times };
}
