import { randomBytes, randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { createEventHead, toEventCommit } from "../../kernel/audit/audit-event.ts";
import { createApiToken, type TokenGrant, type TokenRecord } from "../../auth/api-token.ts";
import { listApiTokens, revokeApiToken, saveApiToken, type TokenNote } from "../../auth/api-tokens.ts";
import { isName } from "../../auth/claims.ts";
import { findHiddenData } from "../../auth/hidden-data.ts";
import { readDataFolder } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import { isTenant } from "../../principal.ts";
import { toTime } from "../../text/to-time.ts";
import { DATA_OPTION, withStore } from "../with-store.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { formatTable } from "../table.ts";
import { defined } from "../../json/defined.ts";
import { readDuration } from "../../text/duration.ts";

/** A token that was forgotten somewhere ends by itself. */
const LIFETIME = "90d";

interface GrantOptions {
  readonly name?: string | undefined;
  readonly tenant?: string | undefined;
  readonly actor?: string | undefined;
  readonly roles?: string | undefined;
  readonly scopes?: string | undefined;
  readonly expires: string;
}

/** `cairn token create|list|revoke`: API tokens, in the data folder, whether or not a service runs on it. */
export const createTokenCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "token", description: "Make, list and revoke API tokens of a service" },
    args: {
      action: { type: "positional", required: true, description: "`create`, `list` or `revoke`" },
      id: { type: "positional", required: false, description: "The token to revoke, by its id or by itself" },
      tenant: { type: "string", valueHint: "name", description: "create: on whose data it works" },
      actor: { type: "string", valueHint: "name", description: "create: who acts, in records of calls" },
      scopes: {
        type: "string",
        valueHint: "list",
        description: "create: MCP servers and parts of the service it is good for, with commas; `*` for all",
      },
      roles: {
        type: "string",
        valueHint: "list",
        description: "create: roles that versions' policies grant capabilities to, with commas; `*` for everything",
      },
      expires: {
        type: "string",
        valueHint: "time",
        default: LIFETIME,
        description: "create: after `30m`, `12h` or `90d`, at a date such as 2030-01-31, or `never`",
      },
      name: { type: "string", valueHint: "text", description: "create: what it is for" },
      json: { type: "boolean", description: "Print JSON" },
      ...DATA_OPTION,
    },
    async run({ args }) {
      const { environment, folder, out, err } = context;
      const data = args.data === undefined ? readDataFolder(environment) : resolve(folder, args.data);
      const now = Date.now();
      if (args.id !== undefined && args.action !== "revoke") {
        throw wrong(`\`cairn token ${args.action}\` takes no id; \`${args.id.slice(0, 100)}\` is one too many`);
      }
      const use = { context, command: `token ${args.action}`, data, create: true };
      if (args.action === "create") {
        const made = createApiToken(readGrant(args, now), randomBytes, now);
        const hidden = await withStore(use, async (store) => {
          await saveApiToken(store, made.record, createNote("token.made", now));
          return findHiddenData(store);
        });
        if (args.json) out(JSON.stringify({ token: made.token, ...toShown(made.record) }, undefined, 2));
        else out(made.token);
        err(`cairn: this is the only time that the token is shown; its id is ${made.record.id}`);
        if (hidden !== undefined) err(`cairn: ${hidden}`);
      } else if (args.action === "list") {
        const records = await withStore(use, listApiTokens);
        out(args.json ? JSON.stringify(records.map(toShown), undefined, 2) : toTable(records, now));
      } else if (args.action === "revoke") {
        const { id } = args;
        if (id === undefined) throw wrong("`cairn token revoke` needs the id of a token; `cairn token list` has them");
        const record = await withStore(use, (store) =>
          revokeApiToken(store, id, now, createNote("token.revoked", now)),
        );
        out(`Token ${record.id} (${record.tenant}, ${record.actor}) is revoked.`);
      } else {
        throw wrong(`\`cairn token\` can \`create\`, \`list\` and \`revoke\`, but not \`${args.action}\``);
      }
      return EXIT.OK;
    },
  });

/** Actor in audit entries about tokens: only the operator can write to the data folder. */
const OPERATOR = "operator";

/** Creates the entry about a token in the audit log of its tenant. */
function createNote(change: "token.made" | "token.revoked", now: number): TokenNote {
  const toHead = createEventHead(randomUUID, randomBytes);
  return ({ id, tenant, actor, roles, scopes }) => {
    const details = { actor, roles, scopes };
    return toEventCommit([
      { ...toHead(), kind: "change", tenant, at: now, change, actor: OPERATOR, target: id, details },
    ]);
  };
}

function readGrant({ name = "", tenant, actor, roles, scopes, expires }: GrantOptions, now: number): TokenGrant {
  if (tenant === undefined || !isTenant(tenant)) {
    throw wrong("`--tenant` must name a tenant: at most 128 letters, digits and `._:@-`, for example `--tenant acme`");
  }
  if (!isName(actor)) throw wrong("`--actor` must say who acts, for example `--actor ci`");
  const expiresAt = readExpiry(expires, now);
  return {
    name,
    tenant,
    actor,
    roles: readNames("roles", roles ?? ""),
    scopes: readScopes(scopes),
    ...defined({ expiresAt }),
  };
}

function readScopes(text = ""): readonly string[] {
  const scopes = readNames("scopes", text);
  if (scopes.length > 0) return scopes;
  throw wrong("`--scopes` must say what it is good for, for example `--scopes runner,versions:read`, or `'*'` for all");
}

function readNames(option: string, text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (text.trim() === "") return [];
  if (names.every((name) => isName(name) && !name.includes(" "))) return names;
  throw wrong(`\`--${option}\` must be names with commas between them; it is \`${text.slice(0, 100)}\``);
}

function readExpiry(text: string, now: number): number | undefined {
  if (text === "never") return undefined;
  const lasts = readDuration(text);
  const at = lasts === undefined ? readDate(text) : now + lasts;
  if (at > now) return at;
  throw wrong(`\`--expires\` must be \`30m\`, \`12h\`, \`90d\`, a date to come, or \`never\`; it is \`${text}\``);
}

function readDate(text: string): number {
  return /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
}

function wrong(message: string): CairnError {
  return new CairnError("BAD_REQUEST", `${message}.`);
}

/** A record without what belongs to its secret. */
function toShown({ id, name, tenant, actor, roles, scopes, createdAt, expiresAt, revokedAt }: TokenRecord) {
  return {
    id,
    name,
    tenant,
    actor,
    roles,
    scopes,
    createdAt: toTime(createdAt),
    ...(expiresAt === undefined ? {} : { expiresAt: toTime(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: toTime(revokedAt) }),
  };
}

function toTable(records: readonly TokenRecord[], now: number): string {
  return formatTable(
    ["ID", "STATE", "TENANT", "ACTOR", "ROLES", "SCOPES", "EXPIRES", "NAME"],
    records.map(({ id, name, tenant, actor, roles, scopes, expiresAt, revokedAt }) => [
      id,
      revokedAt !== undefined ? "revoked" : (expiresAt ?? Infinity) <= now ? "expired" : "good",
      tenant,
      actor,
      roles.join(","),
      scopes.join(","),
      expiresAt === undefined ? "never" : toTime(expiresAt),
      name,
    ]),
  );
}
