import { SHAPES_ONLY } from "../../../log/redact.ts";
import { printable } from "../../../text/printable.ts";
import { loadConfigFile, saveConfigFile } from "./config-file.ts";
import { editJson } from "./edit-json.ts";
import { createEditError } from "./edit-problem.ts";
import { editToml, toToml } from "./edit-toml.ts";
import { type EntryEdit, toDestination } from "./entry-edit.ts";
import { showChanges } from "./show-changes.ts";

/** File of a client, with its change. */
export interface EntryToWrite {
  readonly path: string;
  readonly format: "json" | "toml";
  readonly edit: EntryEdit;
}

interface Conversation {
  readonly out: (line: string) => void;
  /** Asks whether to write what was shown. */
  readonly confirm: () => Promise<boolean>;
}

/** Shows what a client's file loses and gains, asks, and writes it. Returns false if that was declined. */
export async function writeEntry(
  { path, format, edit }: EntryToWrite,
  { out, confirm }: Conversation,
): Promise<boolean> {
  const file = await loadConfigFile(path);
  const edited = (format === "toml" ? editToml : editJson)(file.text, edit);
  if ("problem" in edited) throw createEditError(path, file.text, edited.problem);
  const { text, earlier } = edited;
  if (text === file.text) {
    out(`${path} has it already.`);
    return true;
  }
  out(`${path}:`);
  const isOurs = createIsOurs(edit);
  for (const line of showChanges(file.text, text)) {
    out(printable((isOurs(line) ? line : SHAPES_ONLY.text(line)).replaceAll("\t", "  ")));
  }
  if (earlier !== undefined && !edit.isOwn(earlier)) {
    const elsewhere = SHAPES_ONLY.text(toDestination(earlier)) || "somewhere else";
    out(printable(`\`${edit.name}\` leads to ${elsewhere} now, which is not this service; it would be replaced.`));
  }
  if (!(await confirm())) {
    out("Nothing was written.");
    return false;
  }
  await saveConfigFile(file, text);
  out(`Wrote ${path}.`);
  return true;
}

/** Recognises the lines that we add, in which no secret can stand; all others may hold what only their owner should see. */
function createIsOurs({ section, name, entry, inputs }: EntryEdit): (line: string) => boolean {
  const bare = (line: string) => line.trim().replace(/,$/, "");
  const json = [entry, ...inputs].flatMap((value) => JSON.stringify(value, undefined, 1).split("\n"));
  const ours = new Set([...json, ...toToml(section, name, entry).split("\n")].map(bare));
  return (line) => line.startsWith("+ ") && ours.has(bare(line.slice(2)));
}
