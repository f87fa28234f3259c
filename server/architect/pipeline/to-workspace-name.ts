/** What the workspaces of a run are called: `part` tells them apart, without it it is what all begin with. */
export function toWorkspaceName(runId: string, part = ""): string {
  return `${runId}-${part}`;
}
