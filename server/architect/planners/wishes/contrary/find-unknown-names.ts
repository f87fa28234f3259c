import type { Clause } from "../clause.ts";
import { exactName } from "../guess/relevance.ts";
import type { Places } from "../places/places.ts";
import { distance } from "../words/words.ts";

/** Words that are written as names are in code: `close_lift`, `slope.close`, `closeLift`. */
const CODE = /^\p{L}[\p{L}\p{N}]*(?:[_.][\p{L}\p{N}]+)+_*$|^\p{Ll}+(?:\p{Lu}\p{Ll}+)+$/u;

/**
 * Finds the words of a clause, by their places, that are written as names are in code, and that neither this version nor its manifests
 * know: a name may have one wrong letter, no more.
 */
export function findUnknownNames({ tokens, keys, corrections }: Clause, places: Places): readonly number[] {
  const coded = tokens.flatMap(({ kind, text }, at) =>
    (kind === "word" || kind === "quoted") && CODE.test(text) && !corrections.has(at) ? [at] : [],
  );
  if (coded.length === 0) return [];
  const { identifiers, things, version } = places;
  const known = new Set(
    [
      ...identifiers,
      ...version.servers.keys(),
      ...things.flatMap((thing) => [exactName(thing), thing.id, ...thing.values.map(String), ...namesOf(thing.at)]),
      ...[...version.tools.values()].flatMap(({ requiredCapabilities }) => requiredCapabilities),
    ].map(toPlain),
  );
  const isKnown = (name: string) => known.has(name) || [...known].some((other) => isNear(name, other));
  const said = new Set([...keys.values()].flat(2));
  return coded.filter((at) => {
    const { text = "" } = tokens[at] ?? {};
    const [first = "", ...others] = text.split(".");
    // Hosts and files are no names of things.
    if (others.length > 0 && !known.has(toPlain(first)) && !first.includes("_")) return false;
    return !said.has(at) && !isKnown(toPlain(text)) && !text.split(".").every((part) => isKnown(toPlain(part)));
  });
}

/** The last step to a thing in its manifest. */
function namesOf(path: readonly (string | number)[]): readonly string[] {
  const last = path.at(-1);
  return typeof last === "string" ? [last] : [];
}

/** A name without what only its style adds: `openLift` is `open_lift`. */
function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[_.-]/g, "");
}

/** Tells whether two names are one but for a wrong letter; another number is another name. */
function isNear(one: string, other: string): boolean {
  const digits = (name: string) => name.replaceAll(/\D/g, "");
  return other.length > 3 && distance(one, other, 1) <= 1 && digits(one) === digits(other);
}
