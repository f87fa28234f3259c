/** One server as a client's file has it. */
export type Entry = Readonly<Record<string, unknown>>;

/** Change of a client's file: one entry, and what it refers to. */
export interface EntryEdit {
  /** Member or table of the file that lists servers. */
  readonly section: string;
  readonly name: string;
  readonly entry: Entry;
  /** Questions that the client asks its user, by their `id`. */
  readonly inputs: readonly Entry[];
  /** Says whether an entry of that name leads to the same service; then only what says where it leads is replaced. */
  readonly isOwn: (entry: Entry) => boolean;
}

/** Members that say where entries of clients lead. The others are their users'. */
const ADDRESSING = new Set(["type", "url", "httpUrl", "serverUrl", "command", "args"]);
/** Members that requests over HTTP take along, which have no meaning beside a command. */
const HEADERS = new Set(["headers", "bearer_token_env_var", "http_headers", "env_http_headers"]);

/** Lists the members of an earlier entry that have no place beside those of the new one. */
export function listObsolete(earlier: Entry, { entry, isOwn }: EntryEdit): readonly string[] {
  const isObsolete = (key: string) => ADDRESSING.has(key) || ("command" in entry && HEADERS.has(key));
  const isKept = (key: string) => key in entry || (isOwn(earlier) && !isObsolete(key));
  return Object.keys(earlier).filter((key) => !isKept(key));
}

/** Adds the headers that users gave an earlier entry of this service to those of the change. */
export function withKeptHeaders(edit: EntryEdit, earlier: Entry | undefined): EntryEdit {
  const [own, kept] = [edit.entry["headers"], earlier?.["headers"]];
  if (earlier === undefined || !edit.isOwn(earlier) || !isTable(own) || !isTable(kept)) return edit;
  return { ...edit, entry: { ...edit.entry, headers: { ...kept, ...own } } };
}

/** Address or command that an entry leads to. */
export function toDestination(entry: Entry): string {
  const url = entry["url"] ?? entry["httpUrl"] ?? entry["serverUrl"];
  if (typeof url === "string") return url;
  const { command, args } = entry;
  return [command, ...(Array.isArray(args) ? (args as unknown[]) : [])]
    .filter((word) => typeof word === "string")
    .join(" ");
}

/** Checks that a value is an object, as entries and sections are. */
export function isTable(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Value of a file after the change, from its value before. */
export function applyToValue(value: Entry, edit: EntryEdit, hasInputs: boolean): Entry {
  const section = isTable(value[edit.section]) ? (value[edit.section] as Entry) : {};
  const earlier = isTable(section[edit.name]) ? (section[edit.name] as Entry) : {};
  const dropped = listObsolete(earlier, edit);
  const kept = Object.entries(earlier).filter(([key]) => !dropped.includes(key));
  const entry = { ...Object.fromEntries(kept), ...edit.entry };
  const inputs = Array.isArray(value["inputs"]) ? (value["inputs"] as unknown[]) : [];
  const missing = listMissing(inputs, edit);
  return {
    ...value,
    [edit.section]: { ...section, [edit.name]: entry },
    ...(hasInputs && missing.length > 0 ? { inputs: [...inputs, ...missing] } : {}),
  };
}

/** Lists the questions that the file does not have yet. */
export function listMissing(inputs: readonly unknown[], edit: EntryEdit): readonly Entry[] {
  return edit.inputs.filter(({ id }) => !inputs.some((input) => isTable(input) && input["id"] === id));
}
