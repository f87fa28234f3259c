import { type Sandbox, probeSandbox } from "../../server/capabilities/workspace/sandbox/probe-sandbox.ts";

/** The sandbox of this machine. Continuous integration has to have one; elsewhere its tests are left out, with the reason. */
export async function findSandbox(): Promise<Sandbox> {
  const sandbox = await probeSandbox();
  if (sandbox.available) return sandbox;
  const isContinuous = process.env["CI"] !== undefined && process.env["CI"] !== "";
  if (isContinuous) throw new Error(`Commands cannot be tested without a sandbox: ${sandbox.reason}`);
  process.stderr.write(`Left out, because there is no sandbox for commands here: ${sandbox.reason}\n`);
  return sandbox;
}
