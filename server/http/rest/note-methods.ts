import type { H3Event } from "h3";
import { CairnError } from "../../errors.ts";
import type { Route } from "../create-route.ts";

/** Addresses of one form, `/versions/:version`, and a method that they take. */
interface Known {
  readonly method: string;
  readonly parts: readonly string[];
}

/**
 * Adds to a function that registers routes that it notes which methods their addresses take, for the refusal of requests that nothing
 * answers to: METHOD_NOT_ALLOWED where another method would be answered, otherwise NOT_FOUND. `others` answer to GET beside those routes.
 */
export function noteMethods(
  register: Route,
  others: readonly string[],
): {
  readonly route: Route;
  readonly refuse: (event: Pick<H3Event, "req" | "url">) => never;
} {
  const known: Known[] = others.map((path) => ({ method: "GET", parts: path.split("/") }));
  return {
    route(method, path, ...rest) {
      // What answers to all addresses below one says by itself which there are.
      if (method !== "" && !path.includes("*")) known.push({ method, parts: path.split("/") });
      register(method, path, ...rest);
    },
    refuse({ req: { method }, url: { pathname } }) {
      const allow = listMethods(known, pathname);
      const shown = pathname.slice(0, 200);
      if (allow.length > 0 && !allow.includes(method)) {
        const message = `${shown} does not take ${method}; it takes ${allow.join(", ")}.`;
        throw new CairnError("METHOD_NOT_ALLOWED", message, { details: { allow } });
      }
      throw new CairnError(
        "NOT_FOUND",
        `Nothing answers to ${method} ${shown}; begin at /versions, then /agent/{version}.`,
      );
    },
  };
}

function listMethods(known: readonly Known[], path: string): readonly string[] {
  const given = path.split("/");
  const found = known.filter(({ parts }) => isOf(given, parts)).map(({ method }) => method);
  // Whoever answers GET answers HEAD.
  return [...new Set(found.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))].toSorted();
}

function isOf(given: readonly string[], parts: readonly string[]): boolean {
  if (given.length !== parts.length) return false;
  return parts.every((part, at) => (part.startsWith(":") ? given[at] !== "" : given[at] === part));
}
