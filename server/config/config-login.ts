import { defined } from "../json/defined.ts";
import { printable } from "../text/printable.ts";
import { type ConfigReader, readSecret } from "./config-reader.ts";
import type { SecretReference } from "./secret-reference.ts";

/** Client of the authorization server by which readers of the console sign in. */
export interface LoginConfig {
  readonly clientId: string;
  /** Absent: the client is a public one. */
  readonly secret?: SecretReference;
  /** Scopes that sign-in asks for, besides `openid`. */
  readonly scopes: readonly string[];
  /** Parameter of requests that names this service; `none`: the authorization server knows without it. */
  readonly audience: (typeof AUDIENCES)[number];
  /** Name of the authorization server for readers. */
  readonly name: string;
}

const AUDIENCES = ["resource", "audience", "none"] as const;
/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
/** RFC 6749, appendix A.1. */
const CLIENT_ID = /^[\x20-\x7e]{1,255}$/;
const NAME_LIMIT = 40;
const DEFAULT_SCOPES = "versions:read";

export const LOGIN_VARIABLES = {
  CAIRN_OAUTH_LOGIN_CLIENT_ID:
    "Client at the issuer by which readers [sign in to the console](console.md#signing-in-with-a-provider). Default: they sign in with a token.",
  CAIRN_OAUTH_LOGIN_CLIENT_SECRET:
    "Where its secret is: `env:NAME` or `file:/path`. Default: it has none, as a public client.",
  CAIRN_OAUTH_LOGIN_SCOPES:
    "Scopes that sign-in asks for besides `openid`, with spaces between. Default `versions:read`.",
  CAIRN_OAUTH_LOGIN_AUDIENCE:
    "How sign-in says that the access token is for `CAIRN_PUBLIC_URL`: in the parameter `resource` (RFC 8707) or `audience`, or with `none` not at all, where the issuer knows by itself. Default `resource`.",
  CAIRN_OAUTH_LOGIN_NAME: "Name of the issuer on the button, of at most 40 characters. Default: its host.",
} as const;

type LoginVariable = keyof typeof LOGIN_VARIABLES;

/** Reads how readers sign in at `issuer`; `undefined`: with a token. */
export function readLogin(read: ConfigReader<LoginVariable>, issuer: string | undefined): LoginConfig | undefined {
  const { get, wrong, problem, oneOf } = read;
  const clientId = get("CAIRN_OAUTH_LOGIN_CLIENT_ID");
  if (clientId === undefined) {
    for (const name of Object.keys(LOGIN_VARIABLES) as LoginVariable[]) {
      if (get(name) !== undefined)
        problem(`${name} is set but CAIRN_OAUTH_LOGIN_CLIENT_ID is not; it says as which client`);
    }
    return undefined;
  }
  if (!CLIENT_ID.test(clientId)) wrong("CAIRN_OAUTH_LOGIN_CLIENT_ID", "it must have at most 255 visible characters");
  const scopes = (get("CAIRN_OAUTH_LOGIN_SCOPES") ?? DEFAULT_SCOPES).split(" ").filter((scope) => scope !== "");
  const bad = scopes.find((scope) => !SCOPE.test(scope) || scope.includes(","));
  if (bad !== undefined) wrong("CAIRN_OAUTH_LOGIN_SCOPES", `\`${bad}\` is no scope; spaces stand between scopes`);
  const name = get("CAIRN_OAUTH_LOGIN_NAME") ?? URL.parse(issuer ?? "")?.host ?? "";
  if (name.length > NAME_LIMIT && get("CAIRN_OAUTH_LOGIN_NAME") !== undefined) {
    wrong("CAIRN_OAUTH_LOGIN_NAME", `it must have at most ${NAME_LIMIT} characters`);
  }
  return {
    clientId,
    ...defined({ secret: readSecret(read, "CAIRN_OAUTH_LOGIN_CLIENT_SECRET") }),
    scopes,
    audience: oneOf("CAIRN_OAUTH_LOGIN_AUDIENCE", AUDIENCES, "resource"),
    name: printable(name),
  };
}
