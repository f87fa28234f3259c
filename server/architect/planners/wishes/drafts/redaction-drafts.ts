import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { type Draft, isNameOf, matchThing } from "./draft.ts";

/** Sayings that a value is kept out of logs. */
const REDACTED =
  /\b(?:redact\w*|mask(?:ed|ing)?|black(?:ed)? out|(?:n['’]t|not|never) (?:(?:to )?(?:show up|turn up|appear|end up|land|be (?:logged|written|recorded|kept|visible|seen|readable|stored)))? ?in (?:the |any |our )?(?:logs?|audit(?: log)?|records)|(?:n['’]t|not|never) be logged|(?:keep|leave|hide|strip)\b[^.;!?]{0,30}? (?:out of|from) (?:the |any |our )?(?:logs?|audit(?: log)?)|geschwärzt|schwärz\w*|unkenntlich|anonymis\w+|enmascar\w+|masqu(?:er|ez|ée?))\b|脱敏|打码/iu;
/** Sayings of the contrary. */
const SHOWN =
  /\b(?:un-?redact\w*|no longer (?:be )?redact\w*|(?:n['’]t|not|stop|cease) (?:have to |need to |be )?redact\w*|(?:should|may|can|must) (?:again )?(?:show up|appear|be (?:logged|visible|readable)) in (?:the )?logs?)\b/iu;
/** Words of such sayings, and of reasons for them. */
const ABOUT =
  /^(?:redact\w*|mask\w*|logs?|logged|audit|records?|show|appear|turn|land|kept|keep|hide|from|visible|passwords?|secrets?|hold|contain|contains|private|personal|sensitive|confidential)$/;

/** Drafts that keep a field of a tool out of logs and audit: "redact complaint in book_appointment". */
export function draftRedaction(clause: Clause, places: Places): readonly Draft[] {
  const saying = REDACTED.exec(clause.text);
  if (saying === null || SHOWN.test(clause.text)) return [];
  const end = saying.index + saying[0].length;
  return places.things.flatMap((thing): readonly Draft[] => {
    const { tool, field } = thing;
    const match = field === undefined ? undefined : matchThing(clause, thing, places);
    const pointer = field === undefined ? undefined : toPointer(field.name);
    if (tool === undefined || field === undefined || match === undefined || pointer === undefined) return [];
    const isWritten = clause.tokens.some(({ lower, kind }) => kind !== "sign" && lower === field.name.toLowerCase());
    const isTool = clause.tokens.some(({ lower }) => isNameOf(tool, lower));
    if (!isWritten && match.own < 1) return [];
    const said = clause.tokens.flatMap(({ lower, start }, at) =>
      ABOUT.test(lower) || (start >= saying.index && start < end && !/[_.]/.test(lower)) ? [at] : [],
    );
    return [
      {
        name: `redact ${thing.id}`,
        label: thing.label,
        thing,
        explained: new Set([
          ...match.explained,
          ...said,
          ...clause.negators,
          ...(["set", "raise", "build", "add", "grant"] as const).flatMap((action) => clause.actions.get(action) ?? []),
        ]),
        soft: match.soft,
        doubt: (isTool ? 0 : 0.4) + (isWritten ? 0 : 0.2) + (field.side === "output" ? 0.5 : 0),
        deed: async (bench) => {
          if (await bench.addItem(tool.file, ["redact"], pointer))
            bench.say(`\`${field.name}\` of \`${tool.name}\` is kept out of logs.`);
          bench.need("patch");
        },
      },
    ];
  });
}

/** The pointer to a field's value; undefined inside of lists, whose places pointers count. */
function toPointer(name: string): string | undefined {
  return /^[\w-]+(?:\.[\w-]+)*$/.test(name) ? `/${name.split(".").join("/")}` : undefined;
}
