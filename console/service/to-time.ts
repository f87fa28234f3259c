/** Completes a time as people write it, `2026-01-31` or `2026-01-31T09:44`, to what the service takes; without an offset it is in UTC. */
export function toTime(text: string): string {
  const [, date, minute = "00:00", second = ":00", offset = "Z"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i.exec(text) ?? [];
  return date === undefined ? text : `${date}T${minute}${second}${offset}`;
}
