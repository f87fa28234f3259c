/** The owners of code by the lines of a `CODEOWNERS` file, in their order. */
export type CodeOwners = readonly OwnedPattern[];

export interface OwnedPattern {
  /** The steps of a path that it is about, of which `**` stands for any number. */
  readonly steps: readonly string[];
  /** Logins as `name`, teams as `organisation/name`, and addresses of mail; none: what it is about has no owner. */
  readonly owners: readonly string[];
}

/** Any number of steps. */
const ANY = "**";
const LOGIN = /^@([A-Za-z0-9][A-Za-z0-9_-]*)$/;
const TEAM = /^@([A-Za-z0-9][A-Za-z0-9_-]*\/[A-Za-z0-9][A-Za-z0-9._-]*)$/;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
/** A pattern, in which a backslash keeps a space; then owners, of which none has a backslash. */
const LINE = /^((?:\\.|[^\\\s])+)(.*)$/;
/** Syntax of gitignore that GitHub does not take: negations, an escaped `#` at the start, ranges, and more than two stars. */
const REFUSED = /^!|^\\#|(?<!\\)[[\]]|\*{3}/;

/** Reads a `CODEOWNERS` file by GitHub's rules, which pass over lines that they do not take. */
export function readCodeOwners(text: string): CodeOwners {
  return text.split(/\r?\n/).flatMap((line) => readLine(line.trim()) ?? []);
}

/** Finds the owners of a file: those of the last pattern that is about it. */
export function findOwners(codeOwners: CodeOwners, path: string): readonly string[] {
  const names = path.split("/");
  return codeOwners.findLast(({ steps }) => matchSteps(steps, names))?.owners ?? [];
}

function readLine(line: string): OwnedPattern | undefined {
  const [, pattern = "", rest = ""] = line.startsWith("#") ? [] : (LINE.exec(line) ?? []);
  if (pattern === "" || REFUSED.test(pattern)) return undefined;
  const words = rest.split(/\s+/).filter(Boolean);
  const comment = words.findIndex((word) => word.startsWith("#"));
  const owners = (comment === -1 ? words : words.slice(0, comment)).map(readOwner);
  // One that is not of the form makes GitHub pass over the whole line.
  if (!owners.every((owner) => owner !== undefined)) return undefined;
  return { steps: toSteps(pattern), owners: [...new Set(owners)] };
}

function readOwner(word: string): string | undefined {
  return LOGIN.exec(word)?.[1] ?? TEAM.exec(word)?.[1] ?? ADDRESS.exec(word)?.[0];
}

/** Says the same with steps alone: where it begins, and whether it is about all that lies below. */
function toSteps(pattern: string): readonly string[] {
  const steps = pattern.split("/");
  const isFolder = steps.length > 1 && steps.at(-1) === "";
  if (isFolder) steps.pop();
  // Of one step it is about that name wherever it stands; of more it begins at the root, as with a slash before it.
  if (steps[0] === "") steps.shift();
  else if (steps.length === 1) steps.unshift(ANY);
  const last = steps.at(-1);
  // A slash alone is about nothing.
  if (last === undefined) return [];
  if (isFolder || last === ANY) return [...steps, ANY, "*"];
  // `docs/*` is about what lies right there, and any other name may be that of a folder.
  return last === "*" ? steps : [...steps, ANY];
}

/** Matches step by step; after a mismatch, the last `**` takes one step more. Takes at most steps times names. */
function matchSteps(steps: readonly string[], names: readonly string[]): boolean {
  return matchStars(steps, names, (step) => step === ANY, matchName);
}

/** Matches a name by a pattern whose `*` stands for any characters, `?` for one, and a backslash takes the meaning from the next. */
function matchName(pattern: string, name: string): boolean {
  const marks = pattern.match(/\\.|./gsu) ?? [];
  const isOne = (mark: string, character: string) =>
    mark === "?" || (mark.length > 1 && mark.startsWith("\\") ? mark.slice(1) : mark) === character;
  return matchStars(marks, [...name], (mark) => mark === "*", isOne);
}

function matchStars<Mark, Item>(
  marks: readonly Mark[],
  items: readonly Item[],
  isStar: (mark: Mark) => boolean,
  isOne: (mark: Mark, item: Item) => boolean,
): boolean {
  let [at, star, taken] = [0, -1, 0];
  for (let next = 0; next < items.length;) {
    const [mark, item] = [marks[at], items[next]];
    if (mark !== undefined && isStar(mark)) {
      star = at++;
      taken = next;
    } else if (mark !== undefined && item !== undefined && isOne(mark, item)) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      at = star + 1;
      next = ++taken;
    } else return false;
  }
  return marks.slice(at).every(isStar);
}
