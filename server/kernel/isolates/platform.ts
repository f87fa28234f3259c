/**
 * Parts of the platform outside the language, by the file in `guest/platform` that makes them, with the names that each
 * puts on `globalThis`. An isolate has only those that its program mentions: all others cost it nothing.
 */
const PARTS = {
  abort: ["AbortController", "AbortSignal"],
  clone: ["structuredClone"],
  console: ["console"],
  crypto: ["crypto"],
  microtask: ["queueMicrotask"],
  text: ["TextEncoder", "TextDecoder", "atob", "btoa"],
  url: ["URL", "URLSearchParams"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PlatformPart = keyof typeof PARTS;

/** Names that stand for the call at hand, which only an isolate knows that takes one call at a time. */
const OF_A_CALL = /\b(?:console|getRandomValues|randomUUID)\b/;

const mentions = Object.entries(PARTS).map(
  ([part, names]) => [part as PlatformPart, new RegExp(`\\b(?:${names.join("|")})\\b`)] as const,
);

/** Finds the parts that a program mentions, be it in a comment. */
export function findPlatform(modules: ReadonlyMap<string, string>): readonly PlatformPart[] {
  return mentions.flatMap(([part, pattern]) => (modules.values().some((code) => pattern.test(code)) ? [part] : []));
}

/** Says whether a program uses something without `ctx` that belongs to one call, as `console` does. */
export function needsOneCall(modules: ReadonlyMap<string, string>): boolean {
  return modules.values().some((code) => OF_A_CALL.test(code));
}
