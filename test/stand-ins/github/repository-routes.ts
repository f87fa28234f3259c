import { presentCommit } from "./present.ts";
import { notFound, type Routes, text } from "./reply.ts";
import { type Protection, type Rule, rulesetsOf, type State } from "./state.ts";

const REPOSITORY = "/repos/{owner}/{repo}";

/** The repository itself, its branches and what protects them, and the app that is installed in it. */
export function repositoryRoutes(
  state: State,
  issueToken: () => { readonly token: string; readonly expires_at: string },
): Routes {
  const { git, github, app, owner, repo, defaultBranch } = state;
  const commitOf = async (oid: string) => {
    const { message, author, committer, tree, parents } = presentCommit(
      state,
      oid,
      await git.git(["cat-file", "commit", oid]),
    );
    return { sha: oid, commit: { message, author, committer, tree }, parents };
  };

  return {
    "GET /app": () => ({ status: 200, body: github.shape("integration", { id: app.id, slug: app.slug }) }),
    [`GET ${REPOSITORY}/installation`]: () => ({
      status: 200,
      body: github.shape("installation", { id: app.installation, app_id: app.id, app_slug: app.slug }),
    }),
    "POST /app/installations/{installation_id}/access_tokens": ({ param }) => {
      if (param("installation_id") !== String(app.installation)) throw notFound();
      return {
        status: 201,
        body: github.shape("installation-token", { ...issueToken(), permissions: { contents: "write" } }),
      };
    },

    [`GET ${REPOSITORY}`]: () => ({
      status: 200,
      body: github.shape("full-repository", {
        name: repo,
        full_name: `${owner}/${repo}`,
        owner: { login: owner },
        default_branch: defaultBranch,
        clone_url: `${state.url}/${owner}/${repo}.git`,
        allow_auto_merge: state.allowAutoMerge,
        private: true,
        allow_squash_merge: state.methods.has("squash"),
        allow_merge_commit: state.methods.has("merge"),
        allow_rebase_merge: state.methods.has("rebase"),
      }),
    }),
    [`GET ${REPOSITORY}/branches/{branch}`]: async ({ param }) => {
      const name = param("branch");
      const oid = await git.find(`refs/heads/${name}`);
      if (oid === undefined) throw notFound();
      const protection = state.protections.get(name);
      const rules = presentClassic(protection);
      return {
        status: 200,
        body: github.shape("branch-with-protection", {
          name,
          commit: await commitOf(oid),
          protected: protection !== undefined,
          // The rest of it is for administrators.
          protection: { enabled: protection !== undefined, required_status_checks: rules },
        }),
      };
    },
    [`PUT ${REPOSITORY}/branches/{branch}/protection`]: ({ param, body }) => {
      const required = (body["required_status_checks"] ?? {}) as Readonly<Record<string, unknown>>;
      const contexts = (required["contexts"] ?? []) as readonly string[];
      const checks = (required["checks"] ?? []) as readonly { context: string; app_id?: number }[];
      state.protections.set(param("branch"), {
        strict: required["strict"] === true,
        enforceAdmins: body["enforce_admins"] === true,
        reviews: readReviews(body["required_pull_request_reviews"]),
        codeOwners: (body["required_pull_request_reviews"] as Flags | null)?.["require_code_owner_reviews"] === true,
        conversations: body["required_conversation_resolution"] === true,
        linear: body["required_linear_history"] === true,
        checks: [
          ...contexts.map((context) => ({ context })),
          ...checks.map(({ context, app_id: id }) => ({ context, ...(id !== undefined && { app: id }) })),
        ],
      });
      return { status: 200, body: github.shape("protected-branch", {}) };
    },
    [`POST ${REPOSITORY}/rulesets`]: ({ body }) => {
      const conditions = body["conditions"] as { readonly ref_name: { readonly include: readonly string[] } };
      const rules = (body["rules"] ?? []) as readonly Rule[];
      const has = (type: string) => rules.some((rule) => rule.type === type);
      const find = (type: string) => rules.find((rule) => rule.type === type)?.parameters;
      const parameters = find("required_status_checks") as RuleParameters | undefined;
      const review = find("pull_request");
      const queue = find("merge_queue")?.["merge_method"] as "MERGE" | "SQUASH" | undefined;
      const methods = review?.["allowed_merge_methods"] as readonly string[] | undefined;
      const ruleset = {
        id: state.nextId(),
        name: text(body, "name"),
        include: conditions.ref_name.include,
        // Everybody who may write here is an administrator.
        enforceAdmins: ((body["bypass_actors"] ?? []) as readonly unknown[]).length === 0,
        rules,
        reviews: readReviews(review),
        codeOwners: review?.["require_code_owner_review"] === true,
        conversations: review?.["required_review_thread_resolution"] === true,
        linear: has("required_linear_history"),
        signatures: has("required_signatures"),
        dismisses: review?.["dismiss_stale_reviews_on_push"] === true,
        teams: ((review?.["required_reviewers"] ?? []) as readonly RequiredReviewer[]).map(
          ({ reviewer, minimum_approvals: approvals }) => ({ team: reviewer.id, approvals }),
        ),
        ...(queue !== undefined && { queue }),
        ...(methods !== undefined && { methods }),
        strict: parameters?.strict_required_status_checks_policy === true,
        checks: (parameters?.required_status_checks ?? []).map(({ context, integration_id: id }) => ({
          context,
          ...(id !== undefined && { app: id }),
        })),
      };
      state.rulesets.push(ruleset);
      return { status: 201, body: github.shape("repository-ruleset", { id: ruleset.id, name: ruleset.name }) };
    },
    [`GET ${REPOSITORY}/rules/branches/{branch}`]: ({ param }) => ({
      status: 200,
      items: rulesetsOf(state, param("branch")).flatMap(({ id, rules }) =>
        rules.map((rule) => ({
          ...rule,
          ruleset_source_type: "Repository",
          ruleset_source: `${owner}/${repo}`,
          ruleset_id: id,
        })),
      ),
    }),

    // What GitHub finds wrong is given by the tests.
    [`GET ${REPOSITORY}/codeowners/errors`]: () => {
      if (state.codeOwnersErrors === undefined) throw notFound();
      return { status: 200, body: { errors: state.codeOwnersErrors } };
    },

    [`GET ${REPOSITORY}/compare/{basehead}`]: async ({ param, query }) => {
      const [from = "", to = ""] = await Promise.all(
        param("basehead")
          .split("...")
          .map(async (name) => (await git.find(`refs/heads/${name}`)) ?? git.find(`${name}^{commit}`)),
      );
      if (from === "" || to === "") throw notFound();
      // What has no beginning in common cannot be compared.
      const { code, text: fork } = await git.attempt(["merge-base", from, to]);
      if (code !== 0) throw notFound();
      const count = async (range: string) => Number(await git.git(["rev-list", "--count", range]));
      const [ahead, behind] = [await count(`${from}..${to}`), await count(`${to}..${from}`)];
      const status = ahead > 0 && behind > 0 ? "diverged" : ahead > 0 ? "ahead" : behind > 0 ? "behind" : "identical";
      const base = await commitOf(from);
      const common = await commitOf(fork);
      const size = Number(query.get("per_page") ?? 250);
      const listed = (await git.git(["rev-list", "--reverse", `${from}..${to}`])).split("\n").filter(Boolean);
      return {
        status: 200,
        body: github.shape("commit-comparison", {
          status,
          ahead_by: ahead,
          behind_by: behind,
          total_commits: ahead,
          base_commit: base,
          merge_base_commit: common,
          commits: await Promise.all(listed.slice(0, size).map(commitOf)),
        }),
      };
    },
  };
}

function readReviews(rules: unknown): number {
  const { required_approving_review_count: count } = (rules ?? {}) as { required_approving_review_count?: number };
  return count ?? 0;
}

interface RequiredReviewer {
  readonly reviewer: { readonly id: number };
  readonly minimum_approvals: number;
}

type Flags = Readonly<Record<string, unknown>>;

interface RuleParameters {
  readonly strict_required_status_checks_policy?: boolean;
  readonly required_status_checks?: readonly { readonly context: string; readonly integration_id?: number }[];
}

function presentClassic(protection: Protection | undefined): Readonly<Record<string, unknown>> {
  const checks = protection?.checks ?? [];
  return {
    enforcement_level: protection === undefined ? "off" : protection.enforceAdmins ? "everyone" : "non_admins",
    contexts: checks.map(({ context }) => context),
    checks: checks.map(({ context, app }) => ({ context, app_id: app ?? null })),
  };
}
