/** Announcement that a version or a tool ends, as its manifest says it. Days begin at 00:00 UTC. */
export interface DeprecationContent {
  readonly since: string;
  readonly sunset?: string;
  readonly successor?: string;
  readonly reason: string;
  readonly yanked?: true;
}

/** Announcement that a version or a tool ends; times in milliseconds since 1970. */
export interface Deprecation {
  readonly since: number;
  /** End of its service. Absent: it is discouraged, and has no end yet. */
  readonly sunset?: number;
  /** The version, or the full name of the tool, to use in its place. */
  readonly successor?: string;
  readonly reason: string;
  /** True of a version that must go at once, without notice, whatever else would keep it alive; absent: false. */
  readonly yanked?: true;
}

/** Days from `since` to `sunset` that callers have at least, where no policy says otherwise. */
const NOTICE_DAYS = 90;

export function toDeprecation({ since, sunset, ...rest }: DeprecationContent): Deprecation {
  return Object.freeze({
    ...rest,
    since: Date.parse(since),
    ...(sunset === undefined ? {} : { sunset: Date.parse(sunset) }),
  });
}

/** Days of notice that policies ask for: the longest counts. */
export function toNoticeDays(policies: readonly { readonly noticeDays?: number }[]): number {
  const asked = policies.flatMap(({ noticeDays }) => noticeDays ?? []);
  return asked.length === 0 ? NOTICE_DAYS : Math.max(...asked);
}

/** The announcement as JSON shows it. */
export function showDeprecation({ since, sunset, yanked: _yanked, ...rest }: Deprecation) {
  return { since: toDay(since), ...(sunset === undefined ? {} : { sunset: toDay(sunset) }), ...rest };
}

/** Checks that the service of something ended before now. */
export function isRetired(deprecation: Deprecation | undefined, now: number): boolean {
  return deprecation?.sunset !== undefined && deprecation.sunset <= now;
}

/** The reason as a sentence, however it was written. */
export function toSentence(reason: string): string {
  const text = reason.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

interface Described {
  readonly description: string;
  readonly deprecated?: Deprecation;
}

/** The description of a tool as models read it: its end comes first. */
export function describeTool({ description, deprecated }: Described): string {
  if (deprecated === undefined) return description;
  const { sunset, successor, reason } = showDeprecation(deprecated);
  const end = sunset === undefined ? "" : ` until ${sunset}`;
  const next = successor === undefined ? "" : `; its successor is ${successor}`;
  return `Deprecated${end}${next}. ${toSentence(reason)}\n\n${description}`;
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
