/** Identifiers of a node and of one of its sessions. */
const FORM = /^([0-9a-f-]{36})\.[0-9a-f-]{36}$/;

/** Makes the id of a session: where several nodes have sessions, it says which node has this one. It gives no right to anything. */
export function toSessionId(id: string, node?: string): string {
  return node === undefined ? id : `${node}.${id}`;
}

/** Finds the node that the id of a session names; that there is such a node, nobody has checked. */
export function findSessionNode(id: unknown): string | undefined {
  return typeof id === "string" ? FORM.exec(id)?.[1] : undefined;
}
