/** Texts of the page of the audit, in English. */
export const words = Object.freeze({
  checked: "Checked",
  checks: "Checked in this browser",
  cannot:
    "This browser cannot check here: that takes Ed25519 of WebCrypto, which newer browsers have over https and on the service's own machine. The command line can.",
  chain: (from: number, newest: number, size: number) =>
    `Entry ${newest} is in the signed tree of ${size} entries, and each entry from there back to ${from} has the hash that the next one names.`,
  chainBroken: (seq: number) => `Entry ${seq} is missing, or its bytes are not those that the entry behind it names.`,
  firstTime:
    "This browser has seen no checkpoint of this log before. It keeps this one, to see next time that the log has only grown.",
  gone: (size: number, at: string) =>
    `The service has no checkpoint of this log. The log no longer begins with the ${size} entries that this browser saw on ${at}.`,
  grown: (size: number, now: number, at: string) =>
    `The log of ${now} entries begins with the ${size} entries that this browser saw on ${at}.`,
  key: "Key of the service",
  keyWhy: "Compare it with the key that the operator gave you: a service could show a key of its own making.",
  more: "Older entries",
  none: (from: number, goesOn: boolean) =>
    `No such records, back to entry ${from}.${goesOn ? " Older ones are searched ..." : ""}`,
  notFit: "Does not fit",
  notGrown: (size: number, now: number, at: string) =>
    `The log of ${now} entries does not begin with the ${size} entries that this browser saw on ${at}, or has another key.`,
  notIncluded: (newest: number, size: number) => `Entry ${newest} is not in the signed tree of ${size} entries.`,
  record: "Record",
  records: (count: number, removed: number) =>
    `${count} records have the SHA-256 that their entries name${removed === 0 ? "" : `; ${removed} were removed`}.`,
  recordsWrong: (ids: readonly string[]) => `These are not the records that entries name: ${ids.join(", ")}.`,
  removed: "removed",
  root: "Root",
  search: "Search",
  seq: (seq: number) => `entry ${seq}`,
  shown: (shown: number, all: number) => `The first ${shown} of ${all} records.`,
  signed: (size: number) => `The checkpoint of ${size} entries is signed by this key.`,
  text: "Text in records",
  title: "Audit",
  unsigned: "The checkpoint is not one that this key has signed for this log.",
  what: "Calls, denials and changes of your tenant, the newest first, as far as the last checkpoint. What is in the newest 10 seconds may not be there yet.",
});
