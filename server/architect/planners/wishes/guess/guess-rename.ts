import { renameField } from "../../directives/rename-field.ts";
import { renameTool } from "../../directives/rename-tool.ts";
import type { Clause } from "../clause.ts";
import { hasNoun } from "../drafts/draft.ts";
import type { Places, Thing } from "../places/places.ts";
import type { Guess } from "./guess-value.ts";
import type { Mood } from "./mood.ts";
import { exactName } from "./relevance.ts";

const FIELD = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
/** Words before a new name: "rename memo to footer". */
const TO = /^(?:to|into|as|be|called|named|in|zu|nach|heißen|a|à|en|por|llamarse|->|→|为|成)$/;

/** A word of the message that may be a new name, with the tokens that it is made of. */
interface Fresh {
  readonly name: string;
  readonly at: readonly number[];
  readonly isWritten: boolean;
}

/** Another name for a field or a tool that the message names as it is written. */
export function guessRename(clause: Clause, thing: Thing, mood: Mood, places: Places): readonly Guess[] {
  const { tool, field, kind, id } = thing;
  const { tokens } = clause;
  if (tool === undefined || (kind !== "tool" && field === undefined)) return [];
  const own = tokens.flatMap(({ lower, kind: sort }, at) =>
    sort !== "sign" &&
    (lower === exactName(thing) || (kind === "tool" && lower === tool.name.slice(tool.server.length + 1)))
      ? [at]
      : [],
  );
  if (own.length === 0) return [];
  const fresh = kind === "tool" ? findToolNames(clause, tool.server, places) : findFieldNames(clause, places);
  return fresh.flatMap(({ name, at, isWritten }): readonly Guess[] => {
    const before = tokens[(at[0] ?? 0) - 1];
    const isMarked = TO.test(before?.lower ?? "") || TO.test(before?.text ?? "");
    if (!isWritten && !(isMarked && mood.isRenamed)) return [];
    const again = tokens.flatMap(({ text }, other) => (text === name ? [other] : []));
    const verbs = [...(clause.actions.get("rename") ?? []), ...(clause.actions.get("replace") ?? [])];
    return [
      {
        name: `rename ${id} ${name}`,
        signs: {
          rename: 1,
          ...(mood.isRenamed ? { verb: 1 } : { noVerb: 1 }),
          ...(isMarked ? { marked: 1 } : {}),
          ...(hasNoun(clause, kind) ? { key: 1 } : {}),
          ...(mood.isNew ? { against: 1 } : {}),
          ...(field?.side === "output" ? { output: 1 } : {}),
        },
        words: [...at, ...again, ...own, ...verbs],
        core: at,
        deed: async (bench) => {
          const deed = field === undefined ? renameTool(places.version, tool, name) : renameField(field, name);
          await deed(bench);
        },
      },
    ];
  });
}

/** Names of tools of a server that are not there yet: `visits.cancel`. */
function findToolNames({ text, tokens }: Clause, server: string, { version }: Places): readonly Fresh[] {
  return [...text.matchAll(/(?<![\w.])([a-z][\w-]*)\.[a-z][a-z0-9_]*(?![\w])/g)].flatMap(
    ({ 0: name, 1: owner, index }) => {
      const at = tokens.flatMap(({ start, end }, place) => (start < index + name.length && end > index ? [place] : []));
      return owner !== server || version.tools.has(name) || at.length === 0 ? [] : [{ name, at, isWritten: true }];
    },
  );
}

function findFieldNames({ text, tokens }: Clause, { version, identifiers }: Places): readonly Fresh[] {
  return tokens.flatMap(({ text: name, kind, end }, at): readonly Fresh[] => {
    const isPart =
      version.servers.has(name) || /^\.\w/.test(text.slice(end)) || text[(tokens[at]?.start ?? 0) - 1] === ".";
    return kind === "sign" || isPart || !FIELD.test(name) || identifiers.has(name)
      ? []
      : [{ name, at: [at], isWritten: kind === "quoted" || name.includes("_") }];
  });
}
