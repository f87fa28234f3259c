/** A hint that something has moved where a repository is kept: a reason to look there again, and nothing to rely on. */
export interface Nudge {
  /** The name of a branch. */
  readonly branch?: string;
  /** A commit, of which checks or statuses are known that were not. */
  readonly commit?: string;
  /** The number of a proposal. */
  readonly number?: number;
}

export interface Nudges {
  nudge(nudge: Nudge): void;
  /** Returns "stop". */
  onNudge(listener: (nudge: Nudge) => void): () => void;
}

/** `onError` hears of what a listener throws; the others are told all the same. */
export function createNudges(onError: (error: unknown) => void): Nudges {
  const listeners = new Set<(nudge: Nudge) => void>();
  return Object.freeze({
    nudge(nudge: Nudge) {
      for (const listener of listeners) {
        try {
          listener(nudge);
        } catch (error) {
          onError(error);
        }
      }
    },
    onNudge(listener: (nudge: Nudge) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
}
