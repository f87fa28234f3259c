/** Preferences of a client for its answer (RFC 7240). */
export interface Preferences {
  /** True if the client does not want to wait. */
  readonly respondAsync: boolean;
  /** Seconds that it waits at most; absent: it does not say. */
  readonly wait?: number;
}

/** Reads `Prefer`; what it does not know or cannot read is left out, as the RFC has it. The first of its kind counts. */
export function readPreferences(header: string | null): Preferences {
  const preferences = (header ?? "")
    .split(",")
    .map((preference) => preference.split(";")[0]?.trim().toLowerCase() ?? "");
  const wait = preferences.flatMap((preference) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(preference)?.[1] ?? [])[0];
  return {
    respondAsync: preferences.includes("respond-async"),
    ...(wait === undefined ? {} : { wait: Number(wait) }),
  };
}
