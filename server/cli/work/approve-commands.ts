import { CairnError } from "../../errors.ts";
import { quoteShell } from "../../text/quote-shell.ts";
import { findAnswer, type ServiceAccess } from "../client/service-url.ts";
import type { CliContext } from "../command.ts";
import { findUsualData } from "./data-of-machine.ts";

/** Task that waits for somebody's approval. */
interface WaitingTask {
  readonly id: string;
  /** The version of the agent whose task it is, as people name it. */
  readonly agent: string;
}

const REASON = '--reason "Read and found right."';

/** Lists the ways to approve what waits, each with its command as it can be copied. */
export async function listApproveCommands(
  context: Pick<CliContext, "environment" | "folder">,
  service: ServiceAccess,
  { id, agent }: WaitingTask,
): Promise<readonly string[]> {
  const data = await findUsualData(context);
  const folder = data === undefined ? '"<its data folder>"' : quoteShell(data);
  const own = `On the machine of the service: cairn work approve ${id} --data ${folder} ${REASON}`;
  if (!(await hasDecider(service, agent))) return [own];
  const version = agent === "latest" ? "" : ` --agent ${quoteShell(agent)}`;
  return [own, `As somebody with the rights to: cairn work approve ${id} --url ${service.url}${version} ${REASON}`];
}

/** Says whether a version has the tool by which callers decide, as far as this caller may know. */
async function hasDecider(service: ServiceAccess, agent: string): Promise<boolean> {
  const path = `/agent/${encodeURIComponent(agent)}/api/tools/approval_write`;
  try {
    return (await findAnswer(service, path)) !== undefined;
  } catch (error) {
    return error instanceof CairnError && error.name === "FORBIDDEN";
  }
}
