/** Writes a name as a part of an address; the router reads no encoded `+`, which addresses may have as it is. */
function toSegment(name: string): string {
  return encodeURIComponent(name).replaceAll("%2B", "+");
}

/** Address of the page of a version. */
export function toVersionAddress(version: string): string {
  return `/console/versions/${toSegment(version)}`;
}

/** Address of the page that tries a tool; `example`: the place in its list of the example that the form begins with. */
export function toTryAddress(version: string, server: string, tool: string, example?: number): string {
  const query = example === undefined ? "" : `?example=${example}`;
  return `/console/try/${[version, server, tool].map(toSegment).join("/")}${query}`;
}

/** Address of the page that compares two versions. */
export function toCompareAddress(from: string, to: string): string {
  return `/console/compare?${new URLSearchParams({ from, to })}`;
}

/** Address of the page of a conversation. */
export function toConversationAddress(id: string): string {
  return `/console/calls/${toSegment(id)}`;
}
