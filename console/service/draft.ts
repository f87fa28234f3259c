/** The one text that a tab keeps for its reader while signing in again, which may lead to another site and back. */
const KEY = "cairn.draft";

/** The reader whose it is. */
interface Owner {
  readonly tenant?: string;
  readonly actor?: string;
}

interface Draft extends Owner {
  readonly form: string;
  readonly value: unknown;
}

/** Loads what was typed in a form; `undefined` where nothing was kept of it. */
export function loadDraft(form: string): unknown {
  const draft = load();
  return draft?.form === form ? draft.value : undefined;
}

export function saveDraft({ tenant = "", actor = "" }: Owner, form: string, value: unknown): void {
  sessionStorage.setItem(KEY, JSON.stringify({ tenant, actor, form, value } satisfies Draft));
}

export function dropDraft(): void {
  sessionStorage.removeItem(KEY);
}

/** Drops the draft of all readers but one; without a name, of all. */
export function dropDraftOfOthers({ tenant, actor }: Owner): void {
  const draft = load();
  if (draft !== undefined && (draft.tenant !== tenant || draft.actor !== actor)) dropDraft();
}

function load(): Draft | undefined {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? undefined : (JSON.parse(kept) as Draft);
}
