import type { ToolInfo } from "../../../server/host-api.ts";
import { type Field, readFields } from "../fill/read-fields.ts";
import { isStopWord } from "../language/stop-words.ts";
import { fold, type Token, toTerms, tokenise } from "../language/tokenise.ts";
import { toTopicTerms } from "../language/topics.ts";

/** Profile of a tool for the chat: its definition, prepared for matching words. */
export interface ToolProfile {
  readonly info: ToolInfo;
  readonly fields: readonly Field[];
  /** Stems that speak of the tool and so are no values of its arguments. */
  readonly known: ReadonlySet<string>;
  /** The ways to name it outright, each a sequence of words. */
  readonly names: readonly (readonly Token[])[];
}

export function createProfile(info: ToolInfo): ToolProfile {
  const title = toTerms(info.name.replaceAll(/[._]/g, " "));
  return {
    info,
    fields: readFields(info.input),
    known: new Set([...title, ...toTerms(info.description), ...toTopicTerms(title)]),
    names: toNames(info),
  };
}

/** Checks that the tool has the name `name`, in full or by the part after the dot. */
export function isCalled({ info }: ToolProfile, name: string | undefined): boolean {
  return name !== undefined && (info.name === name || info.name.endsWith(`.${name}`));
}

/** Length of the longest name of the tool that the message contains; 0 when it does not name it. */
export function measureNaming(message: string, { info, names }: ToolProfile): number {
  if (fold(message).includes(fold(info.name))) return info.name.length;
  const stems = tokenise(message)
    .filter(({ word }) => !isStopWord(word))
    .map((token) => token.stem);
  const lengths = names
    .filter((name) => stems.some((_, index) => name.every(({ stem }, shift) => stems[index + shift] === stem)))
    .map((name) => name.map(({ stem }) => stem).join("").length);
  return Math.max(0, ...lengths);
}

/** `tickets.create_ticket` is named by "create a ticket"; `notes.add`, one word of its own, by "add a note" or "notes: add". */
function toNames({ name, server }: ToolInfo): Token[][] {
  const local = toWords(name.slice(name.lastIndexOf(".") + 1));
  const scope = toWords(name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : server);
  return (
    local.length > 1
      ? [local]
      : [
          [...local, ...scope],
          [...scope, ...local],
        ]
  ).filter((parts) => parts.length > 1);
}

function toWords(name: string): Token[] {
  const words = name.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ").replaceAll(/[_./-]/g, " ");
  return tokenise(words).filter(({ word }) => !isStopWord(word));
}
