/** RFC 3339 in UTC with milliseconds, of milliseconds since 1970. */
export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
