import type { DeclarationTree, SyscallDeclaration } from "../../../capabilities/declaration.ts";
import { deepFreeze, toJson } from "./guest-json.ts";

/** Asks the main process; `args` is JSON text. */
export type Ask = (name: string, args: string) => Promise<unknown>;

/** One argument of a method, or the members of one. */
type Parameter = { readonly name: string; readonly isRequired: boolean } | readonly Parameter[];

/** A declared syscall, read once for each isolate. */
interface Method {
  readonly name: string;
  readonly takes: readonly Parameter[];
}

type Methods = Method | { readonly [member: string]: Methods };

const members: Record<string, Methods> = Object.create(null);

/** Takes the declarations of all members of `ctx`; once, before the first call. Arrays are walked by index, as everywhere here. */
export function installDeclarations(tree: DeclarationTree): void {
  const names = Object.keys(tree);
  for (let at = 0; at < names.length; at += 1) {
    const node = tree[`${names[at]}`];
    if (node !== undefined) members[`${names[at]}`] = readNode(node);
  }
}

/** A member of `ctx` as its declaration says: methods that ask the main process, frozen. */
export function createStubs(member: string, ask: Ask): unknown {
  const methods = members[member];
  return methods === undefined ? undefined : deepFreeze(toStubs(member, methods, ask));
}

function toStubs(member: string, methods: Methods, ask: Ask): unknown {
  if (isMethod(methods)) {
    // Under its own name, which stack traces show.
    return { [member]: async (...given: unknown[]) => ask(methods.name, writeArguments(methods, given)) }[member];
  }
  const stubs: Record<string, unknown> = {};
  const names = Object.keys(methods);
  for (let at = 0; at < names.length; at += 1) {
    const node = methods[`${names[at]}`];
    if (node !== undefined) stubs[`${names[at]}`] = toStubs(`${names[at]}`, node, ask);
  }
  return stubs;
}

/** @throws TypeError for an argument that is missing, or that JSON cannot carry. */
function writeArguments({ name, takes }: Method, given: readonly unknown[]): string {
  let text = "";
  const add = (parameter: Parameter, value: unknown): void => {
    if ("name" in parameter) {
      if (value === undefined && !parameter.isRequired) return;
      const json = toJson(value, `\`${parameter.name}\` of \`ctx.${name}\``);
      text += `${text === "" ? "" : ","}"${parameter.name}":${json}`;
      return;
    }
    for (let at = 0; at < parameter.length; at += 1) {
      const one = parameter[at];
      if (one !== undefined && "name" in one) add(one, Object(value)[one.name]);
    }
  };
  for (let at = 0; at < takes.length; at += 1) {
    const parameter = takes[at];
    if (parameter !== undefined) add(parameter, given[at]);
  }
  return `{${text}}`;
}

function readNode(node: SyscallDeclaration | DeclarationTree): Methods {
  if (isDeclaration(node)) return { name: node.name, takes: readParameters(node.takes ?? []) };
  const methods: Record<string, Methods> = Object.create(null);
  const names = Object.keys(node);
  for (let at = 0; at < names.length; at += 1) {
    const member = node[`${names[at]}`];
    if (member !== undefined) methods[`${names[at]}`] = readNode(member);
  }
  return methods;
}

function readParameters(takes: NonNullable<SyscallDeclaration["takes"]>): readonly Parameter[] {
  const parameters: Parameter[] = [];
  for (let at = 0; at < takes.length; at += 1) {
    const take = takes[at] ?? "";
    if (typeof take !== "string") parameters[at] = readParameters(take);
    else if (take.endsWith("?")) parameters[at] = { name: take.slice(0, -1), isRequired: false };
    else parameters[at] = { name: take, isRequired: true };
  }
  return parameters;
}

function isMethod(methods: Methods): methods is Method {
  return typeof methods.name === "string";
}

function isDeclaration(node: SyscallDeclaration | DeclarationTree): node is SyscallDeclaration {
  return typeof node.name === "string";
}
