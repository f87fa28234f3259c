import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createApiToken, type TokenGrant } from "../../../../../server/auth/api-token.ts";
import { saveApiToken } from "../../../../../server/auth/api-tokens.ts";
import { createToPrincipal } from "../../../../../server/auth/to-principal.ts";
import {
  type ApprovalNeed,
  createFindApprovalGap,
} from "../../../../../server/capabilities/work/approvals/find-approval-gap.ts";
import type { AuthConfig, OAuthConfig } from "../../../../../server/config/config-auth.ts";
import type { Version } from "../../../../../server/versions/version.ts";
import { createMemoryTree } from "../../../../fixtures/trees/create-memory-tree.ts";
import { approvingFiles } from "../../../../helpers/approving-agent.ts";
import { loader } from "../../../../helpers/loader.ts";
import { openTestStore } from "../../../../helpers/store.ts";

const NOW = Date.UTC(2030, 0, 1);
const GRANT: TokenGrant = {
  name: "",
  tenant: "t",
  actor: "tom",
  roles: ["clerk", "treasurer"],
  scopes: ["work"],
  expiresAt: NOW + 1000,
};
const loaded = await loader.load(createMemoryTree(approvingFiles()), "c".repeat(40));
if (!loaded.ok) throw new Error("The agent is wrong.");
const { version } = loaded;

interface Setting {
  readonly tokens?: readonly Partial<TokenGrant>[];
  readonly config?: Partial<AuthConfig>;
  readonly need?: Partial<ApprovalNeed>;
  readonly revoked?: readonly string[];
}

/** The gap for a run of ann's, or with `role` for a call of hers. */
async function findGap({ tokens = [], config = {}, need = {}, revoked = [] }: Setting): Promise<string | undefined> {
  const store = await openTestStore();
  for (const grant of tokens) {
    const { record } = createApiToken({ ...GRANT, ...grant }, randomBytes, NOW);
    await saveApiToken(store, record, () => ({ set: [], append: [] }));
  }
  const under = { roles: revoked, capabilities: [], hosts: [], commands: [], secrets: [] };
  const toPrincipal = createToPrincipal(() => under);
  const find = createFindApprovalGap({
    config: { mode: "auto", publicVersions: false, ...config },
    store,
    toPrincipal,
    now: () => NOW,
  });
  return find({ version, tenant: "t", taskId: "task-1", others: ["ann"], ...need });
}

const call = { role: "treasurer" };
const withoutDecider: Version = { ...version, tools: new Map() };

describe("an approval that a run may wait for", () => {
  const possible: readonly (readonly [string, Setting])[] = [
    ["callers need no token: another name may approve it", {}],
    ["somebody else has a token for the tool", { tokens: [{}] }],
    ["somebody of another tenant serves all", { tokens: [{ tenant: "u", roles: ["clerk", "fleet"] }] }],
    [
      "there is an authorization server, whose users nobody knows",
      { config: { mode: "tokens", oauth: {} as OAuthConfig } },
    ],
  ];
  test.each(possible)("can be given where %s", async (_, setting) => {
    expect(await findGap(setting)).toBeUndefined();
  });

  const impossible: readonly (readonly [string, Setting])[] = [
    ["the only token is of who asked", { tokens: [{ actor: "ann" }] }],
    ["tokens are needed, and there are none", { config: { mode: "tokens" } }],
    ["the other token may not use the tool", { tokens: [{ roles: ["treasurer"] }] }],
    ["the other token is for another server", { tokens: [{ scopes: ["bank"] }] }],
    ["the other token has expired", { tokens: [{ expiresAt: NOW }] }],
    ["the other token is another tenant's", { tokens: [{ tenant: "u" }] }],
    ["the other's role is revoked", { tokens: [{}], revoked: ["clerk"] }],
  ];
  test.each(impossible)("cannot be given where %s", async (_, setting) => {
    expect(await findGap(setting)).toContain("no valid API token of tenant `t` is somebody's");
  });

  test("cannot be given where the version has no tool for it", async () => {
    expect(await findGap({ need: { version: withoutDecider } })).toBe(
      "Nobody who calls this service could approve it: version 1.0.0 has no tool for it. On the machine of the service, `cairn work approve task-1` decides.",
    );
  });
});

describe("an approval that a call waits for", () => {
  test("can be given by somebody else with the role and the tool", async () => {
    expect(await findGap({ tokens: [{}], need: call })).toBeUndefined();
  });

  test("cannot be given where callers need no token", async () => {
    expect(await findGap({ need: call })).toContain("callers here have no tokens, so their names prove nothing");
  });

  test("cannot be given by who does everything, but does not have the role by its name", async () => {
    expect(await findGap({ tokens: [{ roles: ["*"] }], need: call })).toContain(
      "is a `treasurer` and may use the tool",
    );
  });
});
