import type { ClientAbilities, Context } from "../../../host-api.ts";
import { current } from "./guest-current.ts";
import { createCalls, type Outbox } from "./guest-calls.ts";
import { closeRealm } from "./guest-realm.ts";
import { installDeclarations } from "./guest-stubs.ts";
import type { ToolFacts } from "../sandbox.ts";

/** Message of an entry. */
export type GuestItem =
  | readonly ["tool", tool: number, facts: ToolFacts, payload: number]
  | readonly [
      "start",
      call: number,
      tool: number,
      input: unknown,
      conversationId: string,
      seed: string,
      params?: Context["params"],
      client?: ClientAbilities,
      time?: number,
    ]
  | readonly ["time", call: number, time: number]
  | readonly ["answer", call: number, syscall: number, value?: unknown]
  | readonly ["refuse", call: number, syscall: number, name: string, message: string]
  | readonly ["abort", call: number];

const collectGarbage = Reflect.get(globalThis, "gc") as ((options: object) => void) | undefined;
closeRealm();
current.find = () => calls.current();
Object.freeze(current);

let modules: Readonly<Record<string, { readonly default?: unknown }>> = {};
let outbox = createOutbox();
let now = 0;
const calls = createCalls(
  (event) => {
    outbox.events += `,${event}`;
  },
  () => now,
);

/** Takes the program's modules by path, and the members of `ctx` as JSON; once, before the first entry. */
export function install(
  namespaces: Readonly<Record<string, { readonly default?: unknown }>>,
  declarations: string,
): void {
  modules = namespaces;
  installDeclarations(JSON.parse(declarations));
  // Fixing the realm leaves more garbage than all that stays: without this an isolate would hold twice the memory.
  collectGarbage?.({ type: "major", execution: "sync", flavor: "last-resort" });
}

/**
 * The only way in. `text` is a JSON array, the time and then items, or empty. The outbox that comes back is filled until control
 * leaves the isolate, so it is to be read after that; until it is known to have been (`read`), it is kept and added to.
 */
export function enter(text: string, read: boolean): Outbox {
  if (read) outbox = createOutbox();
  if (text === "") return outbox;
  const entry: readonly unknown[] = JSON.parse(text);
  now = Number(entry[0]);
  for (let at = 1; at < entry.length; at += 1) take(entry[at] as GuestItem);
  return outbox;
}

function take(item: GuestItem): void {
  if (item[0] === "start") {
    const facts = { conversationId: item[4], seed: item[5], params: item[6], client: item[7] };
    calls.start(item[1], item[2], item[3], facts, item[8]);
  } else if (item[0] === "answer") calls.answer(item[1], item[2], item[3]);
  else if (item[0] === "refuse") calls.refuse(item[1], item[2], item[3], item[4]);
  else if (item[0] === "time") calls.setTime(item[1], item[2]);
  else if (item[0] === "abort") calls.abort(item[1]);
  else calls.declare(item[1], modules[item[2].handler]?.default, item[2], item[3]);
}

function createOutbox(): Outbox {
  return Object.assign(Object.create(null), { events: "" });
}
