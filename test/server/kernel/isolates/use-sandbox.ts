import { afterAll, beforeAll } from "vitest";
import { CairnError } from "../../../../server/errors.ts";
import { openSandbox, type SandboxOptions } from "../../../../server/kernel/isolates/open-sandbox.ts";
import type { Sandbox, SandboxCall } from "../../../../server/kernel/isolates/sandbox.ts";
import type { Program } from "../../../../server/versions/version.ts";
import { toCall } from "./program.ts";

export interface SandboxInUse {
  readonly sandbox: () => Sandbox;
  /** Runs a call of the tool of `program`, or of a handler with the given body. */
  run(program: Program | string, changes?: Partial<SandboxCall>): Promise<unknown>;
  /** The error that such a call ends with. */
  fail(program: Program | string, changes?: Partial<SandboxCall>): Promise<CairnError>;
}

/** A sandbox for the tests of a file, closed afterwards. */
export function useSandbox(options: SandboxOptions = { spare: false }): SandboxInUse {
  let opened: Sandbox | undefined;
  beforeAll(async () => {
    opened = await openSandbox(options);
  });
  afterAll(() => opened?.close());

  const sandbox = () => {
    if (opened === undefined) throw new Error("The sandbox is open during tests only.");
    return opened;
  };
  const run: SandboxInUse["run"] = async (program, changes) => (await sandbox().run(toCall(program, changes))).output;
  return {
    sandbox,
    run,
    async fail(program, changes) {
      const end: unknown = await run(program, changes).catch((error: unknown) => error);
      if (!(end instanceof CairnError))
        throw new Error(`The call did not fail, but ended with ${JSON.stringify(end)}.`);
      return end;
    },
  };
}
