/** Tools that come and go with a server's state, at addresses that may come to mean another version. */
export interface LiveTools {
  /** The tools of the server that list and call them. */
  readonly list: string;
  readonly call: string;
  /** First part of the keys of state under which changes may change the list. */
  readonly changes: string;
}
