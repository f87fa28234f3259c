import type { Head, Revision } from "./artifact.ts";

/** Describes an artifact to a caller, with its code for those who may read it. */
export function toRecord(head: Head, revision: Revision, mayRead: boolean): object {
  const { name, owner, permissions, createdAt } = head;
  const { revision: number, author, createdAt: writtenAt, language, code, uses, price, interface: spoken } = revision;
  return {
    artifact_id: name,
    name,
    owner,
    revision: number,
    newest: head.revision,
    permissions,
    author,
    language,
    ...(mayRead ? { code } : {}),
    interface: spoken ?? null,
    uses,
    price,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(writtenAt).toISOString(),
  };
}

/** Writes the receipt for the principal who made or changed an artifact. */
export function toReceipt({ name, owner, revision, hasInterface, price }: Head): object {
  return { artifact_id: name, name, owner, revision, has_interface: hasInterface, price };
}
