import type { Context } from "../../../server/host-api.ts";
import { type ArtifactInterface, hasMethods, type Interface } from "./artifact.ts";

/** An artifact, or one of its methods. */
interface Target {
  readonly name: string;
  readonly method?: string;
}

/** Reads which artifact is meant, and which method: `artifact.method` names both, where the method is not named apart. */
export async function toTarget(ctx: Context, { name, method }: Target): Promise<Target> {
  const dot = name.indexOf(".");
  if (dot < 0) return { name, ...toMember(method) };
  if (method !== undefined) throw ctx.fail("BAD_REQUEST", "A method is named once: after the dot, or as `method`.");
  return { name: name.slice(0, dot), method: name.slice(dot + 1) };
}

export function requireMethod(
  ctx: Context,
  name: string,
  spoken: ArtifactInterface,
  method: string | undefined,
): Interface {
  if (!hasMethods(spoken)) {
    if (method === undefined) return spoken;
    throw ctx.fail("NOT_FOUND", `\`${name}\` has no methods.`, { tool: `${name}.${method}` });
  }
  const found = method !== undefined && Object.hasOwn(spoken.methods, method) ? spoken.methods[method] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(spoken.methods).join(", ");
  if (method === undefined) throw ctx.fail("BAD_REQUEST", `\`${name}\` is invoked by method; it has: ${known}.`);
  throw ctx.fail("NOT_FOUND", `\`${name}\` has no method \`${method}\`; it has: ${known}.`, {
    tool: `${name}.${method}`,
  });
}

export function toMember(method: string | undefined): { readonly method?: string } {
  return method === undefined ? {} : { method };
}

export function toSubject(what: string, name: string, method: string | undefined): string {
  return `The ${what} of \`${method === undefined ? name : `${name}.${method}`}\``;
}
