/** Writes `instant` (milliseconds since 1970) to the second, as the clocks at `offset` minutes east of UTC show it. */
export function toRfc3339(instant: number, offset = 0): string {
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19);
  return local + (offset === 0 ? "Z" : toOffsetName(offset));
}

/** `+05:30` for 330. */
export function toOffsetName(offset: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${offset < 0 ? "-" : "+"}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
