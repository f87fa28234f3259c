import { createSafePattern, type SafePattern } from "../../versions/manifests/schema/safe-pattern.ts";

/** Whether a text has the pattern, matched as the validators match it; undefined where it cannot be matched safely. */
export type Matcher = (pattern: string, text: string) => boolean | undefined;

export function createMatcher(): Matcher {
  const compiled = new Map<string, SafePattern | undefined>();
  return (pattern, text) => {
    if (!compiled.has(pattern)) {
      const safe = createSafePattern(pattern);
      compiled.set(pattern, "refused" in safe ? undefined : safe);
    }
    return compiled.get(pattern)?.test(text);
  };
}
