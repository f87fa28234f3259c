import type { Context, StateKey } from "../../../server/host-api.ts";
import { ADAPTER, type Adapted } from "./adapt.ts";
import { type ArtifactInterface, type Head, type Revision, type Schema, type Use } from "./artifact.ts";
import { findGenesis } from "./genesis.ts";
import { createLayer, type Layer, toLayer } from "./layer.ts";
import { transfer } from "./ledger.ts";
import { requireMethod, toMember, toSubject, toTarget } from "./target.ts";
import { findGenesisMethod } from "./run-genesis.ts";
import { createNotFound, loadRevision, requireHead, toDataKey } from "./store.ts";
import { type Mode, validateArguments, validateResult } from "./validate.ts";

/** Largest depth of artifacts that invoke artifacts, and largest number of invocations in one call. */
const MAX_DEPTH = 8;
const MAX_INVOCATIONS = 64;
/** Number of runs of an artifact that is lost without fault. */
const MAX_TRIES = 3;
const MAX_VALUE = 65_536;

/** An invocation that is wanted; `name` may be `artifact.method`. */
export interface Wanted {
  readonly name: string;
  readonly method?: string;
  /** One object for an artifact with an interface, a list of arguments for one without. */
  readonly args?: unknown;
  /** Its highest price; absent: any. */
  readonly maxPrice?: number;
}

export interface Invoked {
  readonly artifact: string;
  readonly method?: string;
  readonly revision: number;
  readonly result: unknown;
  /** The price that the caller paid. */
  readonly paid: number;
  readonly warnings: readonly string[];
}

interface Invocation extends Wanted {
  readonly caller: string;
  readonly layer: Layer;
  /** The artifacts that wait for this one, the outermost first. */
  readonly stack: readonly string[];
}

/** Syscalls that a use grants, by the adapter's names. */
const ASKS: Readonly<Record<Use, readonly string[]>> = {
  clock: [],
  random: [],
  "state.read": ["state.get"],
  "state.write": ["state.set", "state.delete"],
  invoke: ["invoke"],
};

/** One call, which may invoke several artifacts. */
interface Call {
  readonly ctx: Context;
  readonly mode: Mode;
  /** Number of invocations left. */
  left: number;
}

/** Invokes an artifact for `caller`. All that it changes, ledger included, is of the call's own transaction. */
export async function invokeArtifact(ctx: Context, mode: Mode, caller: string, wanted: Wanted): Promise<Invoked> {
  return invoke({ ctx, mode, left: MAX_INVOCATIONS }, { ...wanted, caller, layer: toLayer(ctx), stack: [] });
}

async function invoke(call: Call, invocation: Invocation): Promise<Invoked> {
  const { stack } = invocation;
  const { name, method } = await toTarget(call.ctx, invocation);
  call.left -= 1;
  if (call.left < 0) throw call.ctx.fail("FORBIDDEN", `One call may invoke ${MAX_INVOCATIONS} artifacts in all.`);
  if (stack.length >= MAX_DEPTH) throw call.ctx.fail("FORBIDDEN", `Artifacts are nested more than ${MAX_DEPTH} deep.`);
  if (stack.includes(name)) {
    throw call.ctx.fail("FORBIDDEN", `Artifacts may not run in circles: ${[...stack, name].join(" -> ")}.`);
  }
  const target = { ...invocation, name, ...toMember(method) };
  const genesis = findGenesis(name);
  return genesis === undefined ? invokeMade(call, target) : invokeGenesis(call, target, genesis);
}

async function invokeGenesis(
  call: Call,
  { name, method, args, caller: who, layer }: Invocation,
  made: ArtifactInterface,
): Promise<Invoked> {
  const { inputSchema } = requireMethod(call.ctx, name, made, method);
  const run = findGenesisMethod(name, method ?? "");
  if (run === undefined) throw createNotFound(call.ctx, name);
  // Their code relies on it, whatever the configuration says of others.
  await validateArguments(call.ctx, "on", {
    subject: toSubject("arguments", name, method),
    value: args,
    schema: inputSchema,
  });
  const result = await run(call.ctx, { caller: who, layer, args: { ...Object(args) } });
  return { artifact: name, ...toMember(method), revision: 1, result, paid: 0, warnings: [] };
}

async function invokeMade(call: Call, invocation: Invocation): Promise<Invoked> {
  const { name, method, args, caller: who, layer } = invocation;
  const head = await requireHead(call.ctx, layer, name, who, "invoke");
  const revision = await loadRevision(call.ctx, layer, name, head.revision);
  const spoken =
    revision.interface === undefined ? undefined : requireMethod(call.ctx, name, revision.interface, method);
  const warnings: (string | undefined)[] = [];
  if (spoken === undefined) {
    if (args !== undefined && !Array.isArray(args)) {
      const message = `\`${name}\` has no interface and takes a list of arguments, such as [1, 2].`;
      throw call.ctx.fail("BAD_REQUEST", message);
    }
  } else {
    const subject = toSubject("arguments", name, method);
    warnings.push(await validateArguments(call.ctx, call.mode, { subject, value: args, schema: spoken.inputSchema }));
  }
  const { result, paid, warning } = await payAndRun(call, invocation, head, revision, spoken?.outputSchema);
  warnings.push(warning);
  const all = warnings.filter((one) => one !== undefined);
  return { artifact: name, ...toMember(method), revision: head.revision, result, paid, warnings: all };
}

/** Pays and runs, and keeps what that changed. */
async function payAndRun(
  call: Call,
  invocation: Invocation,
  { owner }: Head,
  revision: Revision,
  schema: Schema | undefined,
) {
  const { name, method, caller: who, layer, maxPrice = Infinity } = invocation;
  const paid = who === owner ? 0 : revision.price;
  if (paid > maxPrice) throw call.ctx.fail("CONFLICT", `\`${name}\` costs ${paid}, which is more than ${maxPrice}.`);
  for (let tries = 1; ; tries += 1) {
    const inner = createLayer(layer);
    if (paid > 0) await transfer(call.ctx, inner, { from: who, to: owner, amount: paid, artifact: name });
    try {
      const result = await execute(call, { ...invocation, layer: inner }, owner, revision);
      const checked = { subject: toSubject("result", name, method), value: result };
      const warning = schema && (await validateResult(call.ctx, call.mode, { ...checked, schema }));
      await inner.keep();
      return { result, paid, warning };
    } catch (error) {
      const mayTryAgain = error instanceof Error && error.name === "UNAVAILABLE" && tries < MAX_TRIES;
      if (!mayTryAgain) throw error;
    }
  }
}

function execute(
  call: Call,
  invocation: Invocation,
  owner: string,
  { revision, program, uses, interface: spoken }: Revision,
) {
  const { name, method, args, caller: who } = invocation;
  const request: Adapted = {
    facts: { artifact: { name, revision, owner }, caller: who },
    args,
    positional: spoken === undefined || Array.isArray(args),
    ...toMember(method),
  };
  const modules = { "artifact.js": program, "run.js": ADAPTER };
  return call.ctx.artifacts.run<unknown>(
    { name, modules, entry: "run.js" },
    {
      input: request,
      asks: uses.flatMap((use) => ASKS[use]),
      answer: (asked, given) => answer(call, invocation, owner, asked, Object(given)),
      ...(uses.includes("clock") ? { clock: true } : {}),
      ...(uses.includes("random") ? { seed: toSeed(call.ctx.random) } : {}),
    },
  );
}

/** Answers what an artifact asks, which is as untrusted as the artifact. */
async function answer(
  call: Call,
  { name, layer, stack }: Invocation,
  owner: string,
  asked: string,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (asked === "invoke") {
    // In its owner's name and never in its caller's, who has not agreed to what it does.
    const { maxPrice } = given;
    const inner = await invoke(call, {
      name: String(given["name"]),
      args: given["args"],
      ...(typeof maxPrice === "number" ? { maxPrice } : {}),
      caller: owner,
      layer,
      stack: [...stack, name],
    });
    return inner.result;
  }
  const key = toDataKey(name, readKey(call.ctx, given["key"]));
  if (asked === "state.get") return layer.get(key);
  if (asked === "state.delete") return layer.delete(key);
  const { value } = given;
  if (value === undefined || JSON.stringify(value).length > MAX_VALUE) {
    throw call.ctx.fail("BAD_REQUEST", `A value must be JSON of at most ${MAX_VALUE} characters.`);
  }
  return layer.set(key, value);
}

function readKey({ fail }: Context, key: unknown): StateKey {
  const isKey =
    Array.isArray(key) &&
    key.length > 0 &&
    key.length <= 8 &&
    key.every((part) => Number.isFinite(part) || (typeof part === "string" && part.length <= 200));
  if (!isKey) throw fail("BAD_REQUEST", "A key must be a list of up to 8 numbers and strings of up to 200 characters.");
  return key;
}

/** 32 hexadecimal digits of what `random` gives. */
function toSeed(random: () => number): string {
  return Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
}
