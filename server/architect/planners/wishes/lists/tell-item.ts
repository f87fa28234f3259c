import type { Thing } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";
import type { Heading } from "./read-heading.ts";

/** A key and what it is to be: "body: up to 4000", "graceDays = 3". */
const KEYED = /^[`"]?([\p{L}\p{N}_.' -]{1,50}?)[`"]?\s*(?:[:：]|=>?|->|→|\s[–—-])\s*(\S.*)$/su;
/** "cost of start_build: 8" */
const KEY_OF =
  /^(?:the |new )*([\p{L}][\p{L} -]{2,30}?) (?:of|for) (?:the )?[`"]?([\w.-]+)[`"]?\s*(?:[:：=]|->|→)\s*(\S.*)$/su;
const PRONOUN = /(?<!\p{L})(?:it|them|they)(?!\p{L})/iu;
const GIVES =
  /^(?:(?:also|now|and|newly) )*(?:gets?|gains?|receives?|grants?|give|add|plus|\+|bekommt|erhält|obtiene|reçoit)\s+(?:it |them )?(\S+)$/iu;
const TAKES =
  /^(?:(?:also|now|and) )*(?:loses?|remove|revoke|drop|minus|[-−]|verliert|pierde|perd)\s+(?:it |them )?(\S+)$/iu;
const AWAY = /^take (\S+) (?:away|off|out)$|^(\S+) (?:weg|raus|goes)$/iu;
const MORE = /^(\S+) (?:dazu|hinzu|added|as well|too)$/iu;
/** "Make required in book_room". */
const MAKING = /^(make|mark|mach\w*) ([\p{L}-]+(?: again)?) (?:in|of|for|at) (.+)$/iu;
/** Begins with what becomes of the thing itself. */
const ACTS =
  /^(?:gets?|loses?|gains?|needs?|may|can|should|must|has|is|no longer|bekommt|verliert|darf|soll|obtiene|pierde|reçoit|perd)(?!\p{L})/iu;
/** A role and what becomes of it: "operator gets fs_list". */
const SUBJECT =
  /^(?:(?:the |role )*)([\w-]+?)(?: role)? ((?:(?:also|now|newly|additionally) )*(?:gets?|gains?|receives?|loses?) .+)$/iu;
/** "Grant to the role volunteer", whose object the items are. */
const OPEN = /^(\p{L}+(?: (?:away|off|out))?) ((?:to|from|in|into|for|of|on|von|aus|zu|a|de|à) .+)$/iu;

/** Tells an item of a list as a sentence of its own, in the ways in which people say it, the closest first. */
export function tellItem(item: string, heading: Heading, thing?: Thing): readonly string[] {
  // Names that are common words: "people", "when".
  const said = heading.kind === "order" && STOP.has(item.trim()) ? `\`${item.trim()}\`` : item.trim();
  if (heading.kind === "none") return tellAlone(said);
  if (heading.kind === "things")
    return thing === undefined ? [] : thing.kind === "role" ? tellRole(said, thing) : tellOf(said, thing);
  const { text } = heading;
  if (heading.kind === "order") {
    const [, make, what, where] = MAKING.exec(text) ?? [];
    if (make !== undefined) return [`${make} ${said} of ${where ?? ""} ${what ?? ""}`];
    const [, verb, rest] = OPEN.exec(text) ?? [];
    return verb === undefined || rest === undefined ? [`${text} ${said}`] : [`${verb} ${said} ${rest}`];
  }
  const [, key, value] = KEYED.exec(said) ?? [];
  const one = toSingular(text);
  if (key === undefined || value === undefined) return [`${one} ${said}`];
  return [`set the ${one} of ${key} to ${isTextKey(one) ? toQuoted(value) : value}`, `${one} of ${key}: ${value}`];
}

/** Tells whether a key is that of a text, all of which is its value. */
function isTextKey(key: string): boolean {
  return /^(?:title|description)$/iu.test(key.trim());
}

function toQuoted(text: string): string {
  return /^["“«„']/u.test(text) ? text : JSON.stringify(text);
}

/** Tells whether an item only names what a role may, and not whether that is to be added or is to be all of it. */
export function isBare(item: string, { kind }: Heading, thing: Thing | undefined): boolean {
  return kind === "things" && thing?.kind === "role" && !/\s/.test(item.trim()) && !/^[+−-]/u.test(item.trim());
}

function tellAlone(said: string): readonly string[] {
  const [, role = "", rest = ""] = SUBJECT.exec(said) ?? [];
  const told = toGrant(rest, `the role ${role}`);
  if (told !== undefined) return [told, said];
  const [, key = "", name = "", value = ""] = KEY_OF.exec(said) ?? [];
  return key === "" ? [said] : [`set the ${key} of ${name} to ${isTextKey(key) ? toQuoted(value) : value}`, said];
}

function tellRole(said: string, thing: Thing): readonly string[] {
  const name = nameOf(thing);
  const told = toGrant(said, name);
  if (told !== undefined) return [told];
  if (PRONOUN.test(said)) return [said.replace(PRONOUN, name)];
  return ACTS.test(said) ? [`${name} ${said}`] : [`${said} for ${name}`];
}

/** What a role gets or loses, as an order. */
function toGrant(said: string, name: string): string | undefined {
  const [, given] = GIVES.exec(said) ?? MORE.exec(said) ?? [];
  if (given !== undefined) return `grant ${given} to ${name}`;
  const [, taken, away, gone] = [
    ...(TAKES.exec(said) ?? ["", undefined]).slice(0, 2),
    ...(AWAY.exec(said) ?? []).slice(1),
  ];
  const capability = taken ?? away ?? gone;
  return capability === undefined ? undefined : `revoke ${capability} from ${name}`;
}

function tellOf(said: string, thing: Thing): readonly string[] {
  const name = nameOf(thing);
  const [, key, value] = KEYED.exec(said) ?? [];
  if (thing.kind === "tool" && key !== undefined && value !== undefined && isTextKey(key))
    return [`Set the ${key} of ${name} to ${toQuoted(value)}`];
  if (PRONOUN.test(said)) return [said.replace(PRONOUN, name)];
  const own = findMember(said, thing);
  const of = thing.kind === "field" ? "for" : "of";
  const isSet = thing.kind === "set" || thing.kind === "experiment";
  return [
    ...(own === undefined
      ? []
      : isSet && isValue(own.rest)
        ? [`set ${own.name} of ${name} to ${own.rest}`]
        : [`\`${own.name}\` of ${name}: ${own.rest}`]),
    ...(key === undefined || value === undefined ? [] : [`${key} of ${name}: ${value}`, `${name}: ${key} ${value}`]),
    ...(ACTS.test(said) ? [`${name} ${said}`] : [`${said} ${of} ${name}`, `${name}: ${said}`]),
  ];
}

/** The field or parameter of a thing that an item begins with, and what it says of it. */
function findMember(
  said: string,
  { kind, tool, set }: Thing,
): { readonly name: string; readonly rest: string } | undefined {
  const properties: unknown = kind === "tool" ? tool?.input["properties"] : undefined;
  const names = kind === "set" ? [...(set?.parameters.keys() ?? [])] : Object.keys(properties ?? {});
  const bare = said.replace(/^(?:the |set |let )+/iu, "");
  return names
    .toSorted((one, other) => other.length - one.length)
    .flatMap((name) => {
      const pattern = name
        .split(/[_-]/)
        .map((part) => RegExp.escape(part))
        .join("[ _-]");
      const [, rest] =
        new RegExp(
          `^[\`"]?${pattern}[\`"]?(?:\\s*(?:[:：]|=>?|->|→|[–—-]\\s)\\s*|\\s+(?:to |is |be )?)(\\S.*)$`,
          "isu",
        ).exec(bare) ?? [];
      return rest === undefined ? [] : [{ name, rest }];
    })[0];
}

function isValue(text: string): boolean {
  return /^(?:-?\d[\d.,_]*|[\w-]+|"[^"]*")$/u.test(text);
}

function nameOf({ kind, tool, set, role, field }: Thing): string {
  if (kind === "role") return `the role ${role ?? ""}`;
  if (kind === "field") return `the input ${field?.name ?? ""} of ${tool?.name ?? ""}`;
  return tool?.name ?? set?.name ?? "";
}

function toSingular(text: string): string {
  return text.replaceAll(/\b(?:new|better|nicer)\b\s*/giu, "").replace(/s$/u, "");
}
