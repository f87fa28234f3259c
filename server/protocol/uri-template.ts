/** Matches a URI against one template; undefined when it does not fit, else the variables, percent-decoded. */
export type UriMatcher = (uri: string) => Readonly<Record<string, string>> | undefined;

/**
 * RFC 6570 templates as resources use them: simple variables (`{id}`, level 1) and at the end form-style query
 * variables (`{?limit,offset}`), which may be missing and come in any order.
 */
export function createUriMatcher(template: string): UriMatcher {
  const [, path = "", list = ""] = /^([^?]*?)(?:\{\?([^}]*)\})?$/.exec(template) ?? [undefined, template];
  const query = list === "" ? [] : list.split(",");
  const names: string[] = [];
  const source = path.replace(/\{([^}]+)\}|[^{]+/g, (part, name?: string) => {
    if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    names.push(name);
    return "([^/?#]+)";
  });
  const pattern = new RegExp(`^${source}$`, "u");

  return (uri) => {
    const [bare = "", search = ""] = uri.split("?", 2);
    const match = pattern.exec(bare);
    const given = [...new URLSearchParams(search)];
    if (!match || given.some(([name]) => !query.includes(name))) return undefined;
    const pairs = names.map((name, index) => [name, decode(match[index + 1] ?? "")]);
    return Object.fromEntries([...pairs, ...given]);
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded after all: the text stands for itself.
    return text;
  }
}
