import { toArgument } from "../../parts/to-argument.ts";

/** Writes a call as the commands that make it too: with Cairn's own program, and with curl. */
export function toCommands(version: string, tool: string, input: unknown, needsToken: boolean): readonly string[] {
  const json = toArgument(JSON.stringify(input));
  const { origin } = globalThis.location;
  const path = `/agent/${encodeURIComponent(version)}/api/tools/${encodeURIComponent(tool)}`;
  const token = needsToken ? ` -H "authorization: Bearer $CAIRN_TOKEN"` : "";
  return [
    `cairn call ${toArgument(version)} ${toArgument(tool)} ${json} --url ${toArgument(origin)}`,
    `curl ${toArgument(origin + path)}${token} -H 'content-type: application/json' -d ${json}`,
  ];
}
