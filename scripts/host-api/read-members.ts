import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import type { DeclarationTree, SyscallDeclaration } from "../../server/capabilities/declaration.ts";
import { DECLARATIONS } from "../../server/capabilities/declarations.ts";

const ROOT = "server/host-api.ts";

/** Node of the syntax tree of a file. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

/** Declaration of a type, or a member of one, with the source that it stands in. */
export interface Part {
  readonly file: string;
  readonly node: Node;
  readonly source: string;
  /** Text of its docstring, one line; "" without one. */
  readonly doc: string;
  /** Source of its docstring and itself. */
  readonly whole: string;
}

export type Types = ReadonlyMap<string, Part>;
/** A member of `ctx` on the page: a call, a value, or a group of members. */
export interface Member {
  readonly path: readonly string[];
  readonly part: Part;
  readonly doc: string;
  readonly members: readonly Member[];
  readonly declaration?: SyscallDeclaration;
}

/** Reads the exported types of the host API, by name. */
export function readTypes(): Types {
  const files = [
    ROOT,
    ...globSync("server/capabilities/*/api.ts")
      .map((file) => file.replaceAll("\\", "/"))
      .sort(),
  ];
  return new Map(files.flatMap((file) => readTypesOf(file)));
}

function readTypesOf(file: string): [string, Part][] {
  const text = readFileSync(file, "utf8");
  const { program } = parseSync(file, text);
  return (program.body as unknown as readonly Node[]).flatMap((statement): [string, Part][] => {
    const node = (statement["declaration"] ?? statement) as Node;
    if (node.type !== "TSInterfaceDeclaration" && node.type !== "TSTypeAliasDeclaration") return [];
    return [[(node["id"] as { name: string }).name, toPart(file, text, node, statement.start)]];
  });
}

function toPart(file: string, text: string, node: Node, start = node.start): Part {
  const source = dedent(text.slice(node.start, node.end));
  const before = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*$/.exec(text.slice(0, start));
  const doc = (before?.[1] ?? "").replaceAll(/\n\s*\* ?/g, " ").trim();
  return { file, node, source, doc, whole: dedent(`${before?.[0] ?? ""}${text.slice(start, node.end)}`) };
}

/** Takes the last line's indentation away from all lines but the first. */
export function dedent(text: string): string {
  const indentation = /\n( *)[^\n]*$/.exec(text)?.[1] ?? "";
  return text.replaceAll(`\n${indentation}`, "\n");
}

export function demand(types: Types, name: string): Part {
  const part = types.get(name);
  if (part === undefined) throw new Error(`The host API has no type \`${name}\`.`);
  return part;
}

/** Reads all members of `ctx`. */
export function readMembers(types: Types): readonly Member[] {
  return toMembers(demand(types, "Context").node, ["ctx"], types);
}

/** Reads the members of an interface or of a literal type, each with those inside it. */
function toMembers(node: Node, path: readonly string[], types: Types): readonly Member[] {
  const { file } = demand(types, ownerOf(path, types));
  const text = readFileSync(file, "utf8");
  const list = (node["members"] ?? (node["body"] as Node)["body"]) as readonly Node[];
  return list.map((one) => {
    const own = [...path, (one["key"] as { name: string }).name];
    const part = toPart(file, text, one);
    const inner = innerType(one, types);
    const members = inner === undefined ? [] : inner(own);
    const declaration = findDeclaration(own.slice(1));
    const doc = withoutNeeds([part.doc, docOfType(one, types)].join(" ").trim(), own, declaration);
    return { path: own, part, doc, members, ...(declaration === undefined ? {} : { declaration }) };
  });
}

/** Names the type that declares the members below a path: of `ctx.work.tasks`, that of `ctx.work`. */
function ownerOf([, member]: readonly string[], types: Types): string {
  if (member === undefined) return "Context";
  const one = membersOf(demand(types, "Context").node).find(
    (node) => (node["key"] as { name: string }).name === member,
  );
  return (one && namedType(one)) ?? "Context";
}

function membersOf(node: Node): readonly Node[] {
  return (node["body"] as Node)["body"] as readonly Node[];
}

/** Name of the type of a property that is a reference and nothing else. */
function namedType(node: Node): string | undefined {
  const annotation = (node["typeAnnotation"] as Node | undefined)?.["typeAnnotation"] as Node | undefined;
  if (node.type !== "TSPropertySignature" || annotation?.type !== "TSTypeReference") return undefined;
  return (annotation["typeName"] as { name?: string }).name;
}

/** Finds how to read the members of a property whose type is one of the host API's interfaces or a literal. */
function innerType(node: Node, types: Types): ((path: readonly string[]) => readonly Member[]) | undefined {
  if (node.type !== "TSPropertySignature") return undefined;
  const annotation = (node["typeAnnotation"] as Node)["typeAnnotation"] as Node;
  if (annotation.type === "TSTypeLiteral") return (path) => toMembers(annotation, path, types);
  const named = types.get(namedType(node) ?? "")?.node;
  if (named?.type !== "TSInterfaceDeclaration") return undefined;
  return (path) => toMembers(named, path, types);
}

function docOfType(node: Node, types: Types): string {
  return types.get(namedType(node) ?? "")?.doc ?? "";
}

function findDeclaration(path: readonly string[]): SyscallDeclaration | undefined {
  let found: SyscallDeclaration | DeclarationTree | undefined = DECLARATIONS as DeclarationTree;
  for (const name of path) {
    if (found === undefined) return undefined;
    // A level of `ctx.log` is declared once for all.
    if (typeof found["name"] === "string") return found as SyscallDeclaration;
    found = (found as DeclarationTree)[name];
  }
  return typeof found?.["name"] === "string" ? (found as SyscallDeclaration) : undefined;
}

/** Takes the words that a docstring says are needed out of it, where the declaration has them. Throws where they differ. */
function withoutNeeds(doc: string, path: readonly string[], declaration: SyscallDeclaration | undefined): string {
  if (declaration === undefined) return doc;
  const said = /Needs `([a-z.]+)`\./.exec(doc);
  if (said === null || said[1] === declaration.needs) return doc.replace(said?.[0] ?? "", "").trim();
  throw new Error(`\`${path.join(".")}\` needs \`${declaration.needs}\`, but its docstring says \`${said[1]}\`.`);
}
