/** Reads a body of at most `limit` bytes; `undefined` for a longer one, which is left unread from there on. */
export async function readBounded(
  { body }: { readonly body: AsyncIterable<Uint8Array> | null },
  limit: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
