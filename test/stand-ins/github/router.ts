import type { Handler, Routes } from "./reply.ts";

export interface Match {
  readonly route: string;
  readonly handler: Handler;
  readonly params: ReadonlyMap<string, string>;
}

/** A placeholder takes one segment, which may hold slashes: octokit writes those as `%2F`. The last one takes all the rest. */
export function createRouter(routes: Routes): (method: string, path: string) => Match | undefined {
  const known = Object.entries(routes).map(([route, handler]) => {
    const [method, template = ""] = route.split(" ");
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const isOpen =
      template.endsWith("/ref/{ref}") || template.endsWith("refs/{ref}") || template.endsWith("-refs/{ref}");
    const source = template.replaceAll(/\{\w+\}/g, "([^/]+)").replace(/\(\[\^\/\]\+\)$/, isOpen ? "(.+)" : "([^/]+)");
    return { route, method, handler, names, pattern: new RegExp(`^${source}$`) };
  });
  return (method, path) => {
    for (const { route, method: wanted, handler, names, pattern } of known) {
      const values = wanted === method ? pattern.exec(path) : null;
      if (values === null) continue;
      const params = new Map(names.map((name, index) => [name, decodeURIComponent(values[index + 1] ?? "")]));
      return { route, handler, params };
    }
    return undefined;
  };
}
