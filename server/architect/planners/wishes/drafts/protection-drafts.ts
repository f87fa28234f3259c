import type { Policy } from "../../../../versions/policy.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { type Draft, has } from "./draft.ts";

const PROTECTED = /\b(?:protect\w*|schütz\w*|geschützt|proteg\w+|protég\w+)\b|保护/iu;
/** "Changes below tools/x/** should need a person's approval" */
const HELD =
  /\b(?:needs?|requires?|waits? for|awaits?|gets?|have|has|goes? through)\b[^.;]{0,40}\b(?:approv\w*|okay|review\w*|sign-?off|person|human|somebody|someone)\b/iu;
/** What gives the protection a limit, or takes it away. */
const OTHERWISE =
  /\b(?:instead of|rather than|except\w*|but not|unless|no longer|any ?more|any longer|needs? no|unprotect\w*|(?:not|never) (?:\w+ )?(?:need|require|wait|be protected|protect))\b|n['’]t\b/iu;
const FILE = /(?<![\w/])(?:manifests|tools|schemas)\/[\w./*-]*[\w*]/gu;
/** Words of sayings that somebody has to approve of changes of a file. */
const ABOUT =
  /^(?:protect\w*|files?|paths?|architect|merge\w*|changes?|own|itself|alone|approv\w*|without|review\w*|cannot|land|well|person|human|whatever|touch\w*|patch\w*|sign|okay|waits?|same)$/;

/** Drafts that have changes of a file wait for a person: "protect manifests/office/write_letter.yaml as well". */
export function draftProtection(clause: Clause, { version }: Places): readonly Draft[] {
  const spans = [...clause.text.matchAll(FILE)].map(({ index, 0: path }) => ({
    path,
    start: index,
    end: index + path.length,
  }));
  const policy = findPolicy(version);
  const held = policy?.architect?.protected ?? [];
  // What is protected already only says how: "same as tools/x/**".
  const fresh = [...new Set(spans.map(({ path }) => path))].filter((path) => !held.includes(path));
  const paths = fresh.length > 0 ? fresh : spans.slice(0, 1).map(({ path }) => path);
  if (paths.length === 0 || policy === undefined || OTHERWISE.test(clause.text)) return [];
  if (!PROTECTED.test(clause.text) && !HELD.test(clause.text)) return [];
  if (has(clause, "remove", "stop", "revoke") || !paths.every((path) => isKnown(path, version))) return [];
  const isPath = (from: number, to: number) => spans.some(({ start, end }) => from < end && to > start);
  return [
    {
      name: `protect ${paths.join()}`,
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
        for (const path of paths)
          if (await bench.addItem(policy.file, ["architect", "protected"], path))
            bench.say(`Changes of \`${path}\` wait for a person.`);
        bench.need("patch");
      },
    },
  ];
}

/** The policy with rules for the Architect, or the only one that could have them. */
function findPolicy({ policies }: Places["version"]): Policy | undefined {
  const [ruling, ...others] = policies.filter(({ architect }) => architect !== undefined);
  const [only, ...more] = policies;
  if (ruling === undefined) return more.length === 0 ? only : undefined;
  return others.length === 0 ? ruling : undefined;
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
