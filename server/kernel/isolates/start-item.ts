import { NO_PARAMETERS, type SandboxCall } from "./sandbox.ts";

/**
 * What starts a call in an isolate, as JSON text; `tool` is the number that the isolate knows its tool by. What is not said
 * is as usual: no parameters, and nobody to ask.
 */
export function toStartItem(
  id: number,
  tool: number,
  { input, conversationId, seed, params, client }: SandboxCall,
): string {
  const start = `["start",${id},${tool},${JSON.stringify(input)},"${conversationId}","${seed}"`;
  const isUsual = params === NO_PARAMETERS && !(client.elicit || client.sample || client.roots);
  return isUsual ? `${start}]` : `${start},${JSON.stringify(params)},${JSON.stringify(client)}]`;
}
