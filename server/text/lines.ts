/**
 * Lines of a byte stream, without what ends them; a last one that nothing ends is a line as well. Node's readline would
 * also break lines at U+2028 and U+2029, which JSON text may hold as they are.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, end: RegExp): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(end);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
