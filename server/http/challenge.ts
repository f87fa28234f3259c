import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";

/** An MCP server's address, as a resource of its own. */
interface Endpoint {
  readonly path: string;
  /** Its name, which is also the scope that it needs. */
  readonly server: string;
}

/** Headers, as names and values in turn, that tell what credentials would do; none for other errors. */
export type Challenge = (error: unknown, endpoint?: Endpoint) => readonly string[];

export const METADATA_PATH = "/.well-known/oauth-protected-resource";

/**
 * Creates the challenge that shows a refused caller how to authenticate: RFC 6750 §3, RFC 9728 §5.1. `origin` is the
 * service's own, where an issuer gives out tokens; without one there is no metadata to lead to.
 */
export function createChallenge(origin: string | undefined): Challenge {
  return (error, endpoint) => {
    if (!(error instanceof CairnError)) return [];
    const { details } = error;
    const given = isObject(details) ? details : {};
    const metadata = origin === undefined ? undefined : `${origin}${METADATA_PATH}${endpoint?.path ?? ""}`;
    if (error.name === "UNAUTHENTICATED") {
      // Without a token there is no error to tell of (RFC 6750 §3.1).
      const said = { error: given["error"], error_description: given["error"] && error.message };
      return toHeader({ realm: "cairn", ...said, scope: endpoint?.server, resource_metadata: metadata });
    }
    if (error.name !== "INSUFFICIENT_SCOPE") return [];
    const said = { error: "insufficient_scope", error_description: error.message, scope: given["scope"] };
    return toHeader({ realm: "cairn", ...said, resource_metadata: metadata });
  };
}

function toHeader(parameters: Readonly<Record<string, unknown>>): readonly string[] {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === "string" ? [`${name}="${value.replace(NOT_QUOTED, encode)}"`] : [],
  );
  return ["www-authenticate", `Bearer ${pairs.join(", ")}`];
}

/** Characters that these parameters must escape (RFC 6750 §3); paths and names of servers come from the caller. */
const NOT_QUOTED = /[^\x20\x21\x23-\x5b\x5d-\x7e]/gu;

function encode(character: string): string {
  return character.isWellFormed() ? encodeURIComponent(character) : "";
}
