/** Memory that this browser keeps of a log that it has checked, to see later that the log has only grown. */
export interface Seen {
  readonly vkey: string;
  readonly size: number;
  /** In base64. */
  readonly root: string;
  /** RFC 3339. */
  readonly at: string;
}

const toName = (folder: string) => `cairn.audit.${folder}`;

export function loadSeen(folder: string): Seen | undefined {
  try {
    return (JSON.parse(localStorage.getItem(toName(folder)) ?? "null") as Seen | null) ?? undefined;
  } catch {
    // Others wrote there: nothing was seen.
    return undefined;
  }
}

export function saveSeen(folder: string, seen: Seen): void {
  localStorage.setItem(toName(folder), JSON.stringify(seen));
}
