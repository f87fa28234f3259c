import { isTenant } from "../principal.ts";
import { LOGIN_VARIABLES, type LoginConfig, readLogin } from "./config-login.ts";
import { type ConfigReader, readSecret, readUrl } from "./config-reader.ts";
import { isSecureUrl } from "./secure-url.ts";
import type { SecretReference } from "./secret-reference.ts";
import { defined } from "../json/defined.ts";

/** Ways in which callers authenticate. */
export interface AuthConfig {
  /** `auto`: nobody needs to, on this machine, until there is an issuer or a first API token. */
  readonly mode: (typeof AUTH_MODES)[number];
  /** Says whether `GET /versions*` answers anyone. */
  readonly publicVersions: boolean;
  readonly oauth?: OAuthConfig;
}

export interface OAuthConfig {
  readonly issuer: string;
  /** Base URL of this service as clients see it, which tokens must be meant for. */
  readonly origin: string;
  readonly jwksUri?: string;
  readonly tenant?: string;
  readonly tenantClaim: string;
  readonly rolesClaim: string;
  readonly adminRole?: string;
  readonly introspection?: {
    readonly url: string;
    readonly clientId: string;
    readonly secret: SecretReference;
  };
  /** Absent: readers of the console sign in with a token. */
  readonly login?: LoginConfig;
}

const AUTH_MODES = ["auto", "tokens"] as const;

export const AUTH_VARIABLES = {
  CAIRN_AUTH:
    "`auto`: callers need a token as soon as `CAIRN_OAUTH_ISSUER` is set or an API token was ever made; before that they need none, and Cairn listens on loopback only. `tokens`: they always need one. Default `auto`.",
  CAIRN_PUBLIC_URL:
    "Scheme and host as clients see them, for example `https://cairn.example.com`: what OAuth tokens must be meant for, a host that requests may be addressed to, and what absolute links in answers begin with. Needed with `CAIRN_OAUTH_ISSUER`.",
  CAIRN_PUBLIC_VERSIONS: "`true`: anyone may read `/versions` and what is below it, without a token. Default `false`.",
  CAIRN_OAUTH_ISSUER: "Issuer of OAuth access tokens, exactly as their `iss` has it.",
  CAIRN_OAUTH_JWKS_URI: "Where the issuer's keys are. Default: what its metadata says.",
  CAIRN_OAUTH_TENANT: "Tenant of every token of the issuer. Default: what the token says.",
  CAIRN_OAUTH_TENANT_CLAIM: "Claim that names the tenant. Default `tenant`.",
  CAIRN_OAUTH_ROLES_CLAIM:
    "Claim that lists roles; dots lead into objects, as in `realm_access.roles`. Default `roles`.",
  CAIRN_OAUTH_ADMIN_ROLE:
    "The issuer's role that stands for `*`: everything in every version. Default: none does, a role `*` of its tokens included.",
  CAIRN_OAUTH_INTROSPECTION_URL: "Where to ask about tokens that are no JWTs (RFC 7662).",
  CAIRN_OAUTH_CLIENT_ID: "Client that Cairn asks there as.",
  CAIRN_OAUTH_CLIENT_SECRET: "Where its secret is: `env:NAME` for an environment variable, `file:/path` for a file.",
  ...LOGIN_VARIABLES,
} as const;

type AuthVariable = keyof typeof AUTH_VARIABLES;

type AuthReader = ConfigReader<AuthVariable>;

/** `publicUrl` without a slash at the end. */
export function readAuthConfig(read: AuthReader): { readonly auth: AuthConfig; readonly publicUrl?: string } {
  const publicUrl = readPublicUrl(read);
  const oauth = readOAuth(read, publicUrl);
  const auth: AuthConfig = {
    mode: read.oneOf("CAIRN_AUTH", AUTH_MODES, "auto"),
    publicVersions: read.oneOf("CAIRN_PUBLIC_VERSIONS", ["true", "false"], "false") === "true",
    ...defined({ oauth }),
  };
  return { auth, ...defined({ publicUrl }) };
}

function readPublicUrl({ get, wrong }: AuthReader): string | undefined {
  const url = get("CAIRN_PUBLIC_URL")?.replace(/\/$/, "");
  if (url === undefined || (isSecureUrl(url) && URL.parse(url)?.origin === url)) return url;
  return wrong("CAIRN_PUBLIC_URL", "it must be https, without a path (http only for this machine)");
}

function readOAuth(read: AuthReader, origin: string | undefined): OAuthConfig | undefined {
  const { get, wrong, problem } = read;
  const issuer = readUrl(read, "CAIRN_OAUTH_ISSUER");
  if (get("CAIRN_OAUTH_ISSUER") === undefined) {
    // Whoever set one of these wants authentication, and must not be left without it.
    const others = Object.keys(AUTH_VARIABLES).filter((name): name is AuthVariable => name.startsWith("CAIRN_OAUTH_"));
    for (const name of others) {
      if (get(name) !== undefined)
        problem(`${name} is set but CAIRN_OAUTH_ISSUER is not; it says whose tokens to take`);
    }
    return undefined;
  }
  if (get("CAIRN_PUBLIC_URL") === undefined) {
    problem("CAIRN_OAUTH_ISSUER is set but CAIRN_PUBLIC_URL is not; it says what tokens must be meant for");
  }
  const tenant = get("CAIRN_OAUTH_TENANT");
  const tenantClaim = get("CAIRN_OAUTH_TENANT_CLAIM");
  if (tenant !== undefined && tenantClaim !== undefined) {
    wrong("CAIRN_OAUTH_TENANT_CLAIM", "it must not be set besides CAIRN_OAUTH_TENANT, which leaves it no meaning");
  }
  if (tenant !== undefined && !isTenant(tenant)) {
    wrong("CAIRN_OAUTH_TENANT", "it must begin with a letter or digit, and have at most 128 of them and of `._:@-`");
  }
  const adminRole = get("CAIRN_OAUTH_ADMIN_ROLE");
  const jwksUri = readUrl(read, "CAIRN_OAUTH_JWKS_URI");
  const introspection = readIntrospection(read);
  const login = readLogin(read, issuer);
  if (issuer === undefined || origin === undefined) return undefined;
  return {
    issuer,
    origin,
    ...defined({ jwksUri, tenant }),
    tenantClaim: tenantClaim ?? "tenant",
    rolesClaim: get("CAIRN_OAUTH_ROLES_CLAIM") ?? "roles",
    ...defined({ adminRole, introspection, login }),
  };
}

function readIntrospection(read: AuthReader): OAuthConfig["introspection"] {
  const { get, problem } = read;
  const url = readUrl(read, "CAIRN_OAUTH_INTROSPECTION_URL");
  if (get("CAIRN_OAUTH_INTROSPECTION_URL") === undefined) return undefined;
  const clientId = get("CAIRN_OAUTH_CLIENT_ID");
  const secret = readSecret(read, "CAIRN_OAUTH_CLIENT_SECRET");
  if (clientId === undefined || get("CAIRN_OAUTH_CLIENT_SECRET") === undefined) {
    problem("CAIRN_OAUTH_INTROSPECTION_URL needs CAIRN_OAUTH_CLIENT_ID and CAIRN_OAUTH_CLIENT_SECRET");
  }
  return url === undefined || clientId === undefined || secret === undefined ? undefined : { url, clientId, secret };
}
