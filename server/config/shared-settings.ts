import type { Json } from "../json/types.ts";
import type { CONFIG_VARIABLES, Config } from "./config.ts";

/** Settings that decide what a service answers, by their variables. Nodes of one store should agree on each that is known. */
export type SharedSettings = Readonly<Partial<Record<keyof typeof CONFIG_VARIABLES, Json | undefined>>>;

/** Contents of files that the configuration names. `null`: none is named; `undefined`: it cannot be read, and is not compared. */
export interface NamedContents {
  readonly secretsKey: string | null | undefined;
  readonly tagSigners: string | null | undefined;
}

/**
 * Lists what must be the same on all nodes, out of the parsed configuration: an address by what it names, what stands in any
 * order in order. Of secrets it has the names alone, as each node may get them elsewhere.
 */
export function toSharedSettings(config: Config, { secretsKey, tagSigners }: NamedContents): SharedSettings {
  const { forge, auth, model, drift, ceilings } = config;
  const github = forge.kind === "github" ? forge : undefined;
  return {
    CAIRN_REPO: toPlace(config.repository),
    CAIRN_FORGE: forge.kind,
    CAIRN_FORGE_BRANCH: config.baseBranch ?? null,
    CAIRN_GITHUB_MERGE: github?.mergeMethod ?? null,
    CAIRN_GITHUB_AUTO_MERGE: github?.autoMerge ?? null,
    CAIRN_GITHUB_REVIEWERS: toSorted(github?.reviewers),
    CAIRN_REQUIRE_SIGNED_TAGS: tagSigners,
    CAIRN_PREVIEWS: config.previews,
    CAIRN_CONSOLE: config.console,
    CAIRN_PUBLIC_URL: config.publicUrl ?? null,
    CAIRN_ALLOWED_ORIGINS: toSorted(config.allowedOrigins),
    CAIRN_AUTH: auth.mode,
    CAIRN_PUBLIC_VERSIONS: auth.publicVersions,
    ...toOAuthSettings(auth.oauth),
    CAIRN_EGRESS_MAP: Object.fromEntries(config.egressMap),
    CAIRN_MOUNTS: Object.fromEntries([...config.mounts].map(([name, { isWritable }]) => [name, isWritable])),
    CAIRN_MODEL_URL: model?.url ?? null,
    CAIRN_MODEL_NAME: model?.name ?? null,
    CAIRN_MODEL_EMBEDDINGS: model?.embeddings ?? null,
    CAIRN_SECRETS: toSorted(config.secrets.references.keys()),
    CAIRN_SECRETS_KEY: secretsKey,
    CAIRN_DURABILITY: config.durability,
    CAIRN_RECORD_DAYS: config.recordDays,
    CAIRN_LIMITS: { tenant: { ...ceilings.tenant }, actor: { ...ceilings.actor }, tool: { ...ceilings.tool } },
    CAIRN_DRIFT_EVERY: drift?.everyMs ?? null,
    CAIRN_DRIFT_TOKENS: toSorted(drift?.tokens.keys()),
  };
}

function toOAuthSettings(oauth: Config["auth"]["oauth"]) {
  const { introspection, login } = oauth ?? {};
  return {
    CAIRN_OAUTH_ISSUER: oauth?.issuer ?? null,
    CAIRN_OAUTH_JWKS_URI: oauth?.jwksUri ?? null,
    CAIRN_OAUTH_TENANT: oauth?.tenant ?? null,
    CAIRN_OAUTH_TENANT_CLAIM: oauth?.tenantClaim ?? null,
    CAIRN_OAUTH_ROLES_CLAIM: oauth?.rolesClaim ?? null,
    CAIRN_OAUTH_ADMIN_ROLE: oauth?.adminRole ?? null,
    CAIRN_OAUTH_INTROSPECTION_URL: introspection?.url ?? null,
    CAIRN_OAUTH_CLIENT_ID: introspection?.clientId ?? null,
    CAIRN_OAUTH_LOGIN_CLIENT_ID: login?.clientId ?? null,
    CAIRN_OAUTH_LOGIN_SCOPES: toSorted(login?.scopes),
    CAIRN_OAUTH_LOGIN_AUDIENCE: login?.audience ?? null,
    CAIRN_OAUTH_LOGIN_NAME: login?.name ?? null,
  };
}

/** Place of a repository, without what leads to the same one: protocol, user, credentials, `.git`. A path stays a path. */
function toPlace(repository: string | undefined): string | null {
  if (repository === undefined) return null;
  const short = /^(?:[^/\s@:]+@)?([^/\s:]+):(?!\/\/)(.+)$/.exec(repository);
  const url = short === null ? URL.parse(repository) : null;
  if (url?.protocol === "file:") return url.pathname.replace(/\/+$/, "");
  const host = short?.[1] ?? url?.host;
  if (host === undefined) return repository.replace(/(?<=.)\/+$/, "");
  const path = (short?.[2] ?? url?.pathname ?? "").replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  return `${host.toLowerCase()}/${path}`;
}

function toSorted(names: Iterable<string> = []): readonly string[] {
  return [...names].sort();
}
