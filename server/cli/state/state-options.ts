import { randomBytes } from "node:crypto";
import { isName } from "../../auth/claims.ts";
import type { ChangeNotes, Numbers } from "../../capabilities/state/data/ledger.ts";
import { showPlace, type StatePlace } from "../../capabilities/state/data/place.ts";
import { CairnError } from "../../errors.ts";
import type { StateKey } from "../../host-api.ts";
import { createIdentifiers } from "../../identifiers.ts";
import { type Change, createEventHead, toEventCommit } from "../../kernel/audit/audit-event.ts";
import { isTenant, LOCAL_PRINCIPAL } from "../../principal.ts";
import type { CliContext } from "../command.ts";
import { findServedCommit } from "../versions/find-served-commit.ts";

export const STATE_TENANT_OPTION = {
  tenant: {
    type: "string",
    default: LOCAL_PRINCIPAL.tenant,
    valueHint: "name",
    description: "Whose data; `local` has that of callers without a token",
  },
} as const;

export const STATE_ARGUMENT = {
  state: {
    type: "positional",
    required: true,
    valueHint: "server/scope",
    description: "A server, and a name that versions share or the version whose own data it is: desk/desk, desk/1.0.0",
  },
} as const;

export const CHANGE_OPTIONS = {
  actor: { type: "string", default: "operator", valueHint: "name", description: "Who does it, for the audit log" },
  "dry-run": { type: "boolean", description: "Check and count, but change nothing" },
} as const;

export const OVERWRITE_OPTION = {
  overwrite: { type: "boolean", description: "Replace values that are there already and are others" },
} as const;

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export function readTenant(tenant: string): string {
  if (isTenant(tenant)) return tenant;
  throw new CairnError("BAD_REQUEST", "`--tenant` must name a tenant: at most 128 letters, digits and `._:@-`.");
}

/** Reads `server/scope`. A scope that is no name is a version: then its commit is the scope. @throws BAD_REQUEST */
export async function loadPlace(
  context: Pick<CliContext, "environment">,
  data: string,
  tenant: string,
  text: string,
): Promise<StatePlace> {
  const [server = "", scope = "", ...more] = text.split("/");
  if (!NAME.test(server) || scope === "" || more.length > 0) {
    const message = `\`${text.slice(0, 200)}\` is no state: write a server and a scope, such as \`desk/desk\` or \`desk/1.0.0\`.`;
    throw new CairnError("BAD_REQUEST", message);
  }
  const isScope = NAME.test(scope) || COMMIT.test(scope);
  return { tenant: readTenant(tenant), server, scope: isScope ? scope : await findServedCommit(context, data, scope) };
}

/** Creates what makes the audit entries of a change of a state; `actor` is checked. @throws BAD_REQUEST */
export function createNotes({ now }: Pick<CliContext, "now">, actor: string) {
  if (!isName(actor)) {
    throw new CairnError("BAD_REQUEST", "`--actor` must say who does it, without characters that nobody sees.");
  }
  const toHead = createEventHead(createIdentifiers(now), randomBytes);
  return <Written extends Numbers>(
    place: StatePlace,
    change: Change["change"],
    about: Change["details"] = {},
  ): ChangeNotes<Written> => {
    const common = { kind: "change", tenant: place.tenant, change, actor, target: showPlace(place) } as const;
    const note = (details: Change["details"]) =>
      toEventCommit([{ ...toHead(), ...common, at: now(), details: { ...about, ...details } }]);
    return {
      begun: note({ step: "begun" }),
      toEnded: (written, outcome) => note({ step: outcome, ...written }),
    };
  };
}

/** Reads a key of handlers, as JSON. @throws BAD_REQUEST */
export function readKey(name: string, text: string): StateKey {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((part) => typeof part === "string" || typeof part === "number"))
      return value;
  } catch {
    // The message below is the better one.
  }
  const message = `\`${name}\` must be a key as JSON, a list of strings and numbers such as '["ticket", 7]'; it is \`${text.slice(0, 200)}\`.`;
  throw new CairnError("BAD_REQUEST", message);
}
