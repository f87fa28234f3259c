/** Writes a call as the commands that make it too: with Cairn's own program, and with curl. */
export function toCommands(version: string, tool: string, input: unknown, needsToken: boolean): readonly string[] {
  const json = quote(JSON.stringify(input));
  const { origin } = globalThis.location;
  const path = `/agent/${encodeURIComponent(version)}/api/tools/${encodeURIComponent(tool)}`;
  const token = needsToken ? ` -H "authorization: Bearer $CAIRN_TOKEN"` : "";
  return [
    `cairn call ${quote(version)} ${quote(tool)} ${json} --url ${origin}`,
    `curl ${quote(origin + path)}${token} -H 'content-type: application/json' -d ${json}`,
  ];
}

/** Quotes a word for a shell, where it needs that. */
function quote(word: string): string {
  return /^[A-Za-z0-9_./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
