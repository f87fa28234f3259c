/** The service's word for the reader whom a tab shows: in the tab for its requests, in the browser for its other tabs. */
export const READER_KEY = "cairn.reader";

/** Loads the word for the reader whom this tab shows; empty: for nobody with a cookie. */
export function loadShownReader(): string {
  return sessionStorage.getItem(READER_KEY) ?? "";
}

/** Keeps the word for the reader whom this tab shows from now on. Other tabs hear of it if it is another one for them. */
export function saveShownReader(reader: string): void {
  sessionStorage.setItem(READER_KEY, reader);
  localStorage.setItem(READER_KEY, reader);
}
