import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { type Draft, has } from "./draft.ts";

const PROTECTED = /\b(?:protect\w*|schütz\w*|geschützt|proteg\w+|protég\w+)\b|保护/iu;
const FILE = /(?<![\w/])((?:manifests|tools|schemas)\/[\w./*-]*[\w*])/u;
/** Words of sayings that somebody has to approve of changes of a file. */
const ABOUT =
  /^(?:protect\w*|files?|paths?|architect|merge\w*|changes?|own|itself|alone|approv\w*|without|review\w*|cannot|land|well)$/;

/** Drafts that have changes of a file wait for a person: "protect manifests/office/write_letter.yaml as well". */
export function draftProtection(clause: Clause, { version }: Places): readonly Draft[] {
  const path = FILE.exec(clause.text)?.[1];
  const [policy, ...others] = version.policies.filter(({ architect }) => architect !== undefined);
  if (path === undefined || policy === undefined || others.length > 0 || !PROTECTED.test(clause.text)) return [];
  if (has(clause, "remove", "stop", "revoke") || !isKnown(path, version)) return [];
  const start = clause.text.indexOf(path);
  const isPath = (from: number, to: number) => from < start + path.length && to > start;
  return [
    {
      name: `protect ${path}`,
      label: "the files that are protected",
      thing: undefined,
      isNamed: true,
      explained: new Set([
        ...clause.tokens.flatMap((token, at) =>
          ABOUT.test(token.lower) || isPath(token.start, token.end) ? [at] : [],
        ),
        ...clause.negators,
        ...(["set", "add", "restrict"] as const).flatMap((action) => clause.actions.get(action) ?? []),
      ]),
      soft: new Set(),
      doubt: 0,
      deed: async (bench) => {
        if (await bench.addItem(policy.file, ["architect", "protected"], path))
          bench.say(`Changes of \`${path}\` wait for a person.`);
        bench.need("patch");
      },
    },
  ];
}

/** Tells whether a version has such a file, or any that a pattern may mean. */
function isKnown(path: string, { tools, servers, parameters, policies }: Places["version"]): boolean {
  if (path.includes("*")) return true;
  const files = [
    ...[...tools.values()].flatMap(({ file, handler }) => [file, handler]),
    ...[...servers.values(), ...parameters.values(), ...policies].map(({ file }) => file),
  ];
  return files.includes(path);
}
