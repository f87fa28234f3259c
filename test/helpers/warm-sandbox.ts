import { openSandbox } from "../../server/kernel/isolates/open-sandbox.ts";
import type { Sandbox } from "../../server/kernel/isolates/sandbox.ts";
import type { Program } from "../../server/versions/version.ts";

let opened: Promise<Sandbox> | undefined;
const clocks = new WeakMap<Program, () => number>();
const apart = new WeakMap<Program, Program>();
let programs = 0;

/**
 * The sandbox that all test files of a worker share, since starting one costs more than most tests that need it. It ends with
 * the worker. A test of what a sandbox does opens one of its own.
 */
export function warmSandbox(): Promise<Sandbox> {
  return (opened ??= open());
}

/** Has the handlers of a program see another time than the machine's, in the warm sandbox. */
export function setClock(program: Program, now: () => number): void {
  clocks.set(keepApart(program), now);
}

async function open(): Promise<Sandbox> {
  // Room for the programs of about one file: what earlier files left behind is unloaded.
  const now = (program: Program) => clocks.get(program)?.() ?? Date.now();
  const sandbox = await openSandbox({ spare: false, isolates: 12, now });
  return {
    ...sandbox,
    run: (call) => sandbox.run({ ...call, program: keepApart(call.program) }),
    warm: (program) => sandbox.warm(keepApart(program)),
  };
}

/** Commits of tests are made up, and many files use one name for different programs. */
function keepApart(program: Program): Program {
  const known = apart.get(program) ?? { ...program, key: `${(programs += 1)}-${program.key}` };
  apart.set(program, known);
  return known;
}
