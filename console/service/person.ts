/** The name that the reader goes by where callers need no token: the header `Cairn-Person`. */
const KEY = "cairn.person";

/** Loads the name that this browser keeps; empty: none. */
export function loadPerson(): string {
  return localStorage.getItem(KEY) ?? "";
}

export function savePerson(name: string): void {
  localStorage.setItem(KEY, name);
}
