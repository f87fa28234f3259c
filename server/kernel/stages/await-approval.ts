import { CairnError } from "../../errors.ts";
import type { Approvals } from "../approvals.ts";
import type { Answered } from "./answers.ts";
import type { CallState } from "./call-state.ts";

/**
 * The stage that keeps a call from running until somebody else has approved it. Undefined: it may run now. Where nobody
 * could approve, it is refused: an agent that was talked into a payment must not find the one place that asks nobody.
 */
export async function awaitApproval(
  approvals: Approvals | undefined,
  { call, input }: CallState,
): Promise<Answered | undefined> {
  const { version, tool, principal, idempotencyKey, approved } = call;
  const needed = tool.approvals.filter(({ check }) => check(input).length === 0);
  const [by, ...also] = [...new Set(needed.map((approval) => approval.by))].toSorted();
  if (by === undefined) return undefined;
  if (approved !== undefined) {
    if (approved.mayRun) return undefined;
    const message = "The service ended while this call ran, so nobody knows whether it was done; look, and ask again.";
    throw new CairnError("UNAVAILABLE", message);
  }
  if (approvals === undefined) {
    throw new CairnError("FORBIDDEN", `This call of \`${tool.name}\` needs an approval, and here nobody gives one.`);
  }
  return approvals.ask({
    version,
    tool,
    by,
    also,
    expiresSeconds: Math.min(...needed.map(({ expiresSeconds }) => expiresSeconds)),
    input,
    principal,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
}
