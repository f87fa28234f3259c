/** The longest that a name is shown, in UTF-16 units. */
const LABEL_LIMIT = 40;

/** Names as a picture can show them: characters that XML has, not too long, and still all different. */
export function toLabels(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const label = toLabel(name);
    let free = label;
    for (let copy = 2; taken.has(free); copy += 1) free = `${label} (${copy})`;
    taken.add(free);
    return free;
  });
}

/** One name as a picture can show it. */
export function toLabel(name: string): string {
  const clean = name.toWellFormed().replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, "\uFFFD");
  return clean.length <= LABEL_LIMIT ? clean : `${clean.slice(0, LABEL_LIMIT - 1).toWellFormed()}…`;
}
