/**
 * What Cairn promises, one line each. Tests cite the ids in their titles (`[V1] ...`); `coverage.test.ts` fails when
 * nothing cites a line. An id never changes its meaning.
 */
export interface Requirement {
  readonly promise: string;
}

export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  V1: { promise: "A served version is one commit with one semver, and its addresses never answer differently." },
  V2: { promise: "Every version, old ones included, has a runner, a tuner and an Architect." },
  V3: { promise: "The same semver may live on several branches, each reachable by its commit." },
  V4: { promise: "`GET /versions` has the fields of its schema and nothing outside it." },
  V5: {
    promise:
      "`/versions` pages with limit and offset, filters with include_unstable and since, and says how much there is.",
  },
  V6: { promise: "`/versions` shows what a client needs to decide what to pin: parent, semver, stability." },
  V7: {
    promise: "`/versions` asks for authentication like everything else, unless opened for reading.",
  },
  V8: {
    promise:
      "Unknown, moved, under-claimed and broken versions are refused with the reason, never replaced by another.",
  },
  V9: {
    promise:
      "Only what a served tag leads to acts on what is live; a preview has a store of its own below the default branch's policies, and what that branch revokes holds for every version.",
  },
  V10: {
    promise:
      "No range and no label comes to mean a version that breaks those who had the one before, unless its number says so; nothing that was refused, taken back or never tagged in between hides a break.",
  },
  C1: {
    promise: "Every MCP revision from 2024-11-05 to 2026-07-28 finds handshake and discovery over HTTP.",
  },
  C2: { promise: "Every endpoint takes Bearer tokens or OAuth 2." },
  C3: {
    promise: "Resources may be objects in object stores or of the schemes state, logs, session, eval, assets, compat.",
  },
  C4: { promise: "Runner and tuner are wholly declared by the version; versions share nothing by accident." },
  R1: { promise: "Every call answers with a UUID `conversation_id` that the server made." },
  R2: { promise: "`runner.get_weather` has its schemas to the letter." },
  R3: {
    promise:
      "`runner.chat` has its schemas to the letter; without an id it begins a session, with one it continues it.",
  },
  R4: {
    promise:
      "`session://{conversation_id}` shows turns, summaries and flags; `session://index?limit=N` lists sessions.",
  },
  R5: { promise: "Answers name their `logs_uri`, and `logs://recent?limit=N` shows the newest calls." },
  R6: { promise: "`state://active`, `state://assets` and `compat://manifest` can be read." },
  T1: {
    promise: "`tuner.bandit_reward` has its schemas to the letter and records a reward or says why not.",
  },
  T2: { promise: "`tuner.ucb_step` moves discrete and continuous parameters." },
  T3: { promise: "`tuner.cma_es_iter` evolves continuous parameters." },
  T4: { promise: "`tuner.pref_fit` fits preferences and gives thresholds and weights." },
  T5: {
    promise: "The tuner has `state://active`, `state://staging`, `eval://micro_results.jsonl` and `assets://*`.",
  },
  T6: { promise: "The prompt `tuner/explain` explains the state of tuning." },
  T7: { promise: "The tuner's names, signatures and meanings belong to the version." },
  A1: { promise: "The Architect takes exactly the request schema and refuses unknown fields." },
  A2: { promise: "The Architect answers committed, tuned or rejected, meaning just that." },
  A3: { promise: "A dry run says what would happen and changes nothing." },
  A4: { promise: "The Architect may look into logs, state and evaluations." },
  A5: { promise: "The Architect commits on green only, raises the semver and updates `/versions`." },
  A6: { promise: "The Architect may always decline, with the reason." },
  A7: { promise: "The Architect opens pull requests and merges them when their checks are green." },
  A8: { promise: "The Architect works on the version that the path names." },
  A9: {
    promise:
      "Wishes in people's own words are understood on any repository, asked back about with what was worked out, or refused with what could not be done.",
  },
  A10: {
    promise:
      "Quoted text, blocks and attachments of feedback are data; what a message does not clearly ask for goes to a person.",
  },
  A11: { promise: "Plans of a model or a worker are repaired from what their verification finds." },
  A12: { promise: "Merge queues, required reviews, rulesets and flaky checks of GitHub are met as they are." },
  G1: { promise: "`GET /api/mcp/health` says how the service is." },
  G2: { promise: "`GET /api/mcp/tools` lists full definitions to the authenticated." },
  G3: { promise: "`POST /api/mcp/tool/call` calls a tool by name, with its status codes." },
  G4: { promise: "Tool definitions carry all fields of the registry's contract." },
  G5: { promise: "By name the highest semver wins, and bumps follow their rules." },
  G6: {
    promise: "A call knows tenant, actor, request, capabilities; its result has success, output, error and latency.",
  },
  G7: { promise: "Every call is isolated by tenant, checked for capabilities and schemas, and audited." },
  G8: { promise: "`datastore_decision_findById` and `decide_evaluate` work." },
  B1: {
    promise: "The belief graph's ten tools have their schemas, side effects and response shapes.",
  },
  B2: {
    promise: "Energy is conserved, beliefs stay in [0, 1], drift within 1e-6, lineage append-only and chained.",
  },
  B3: { promise: "The dual error codes 1000, 2000, 3000, 4000, 4004 and 5000 reach clients as JSON-RPC errors." },
  B4: { promise: "The validation table holds; NaN, infinities and payloads over 1 MB are refused." },
  B5: { promise: "The belief graph is linearizable, and its invariants hold after load." },
  B6: { promise: "Answers leak no topology, raw vectors, energies or chain details." },
  B7: { promise: "Every type has a schema, and an example client uses every tool." },
  W1: { promise: "Tasks and runs have all their fields, with schema_version and timestamps." },
  W2: { promise: "Evidence reports carry their common fields." },
  W3: { promise: "Write-capable runs leave their baseline artifacts; specs live in docs/specs." },
  W4: { promise: "The workflow's syscalls pass one enforcement point." },
  W5: { promise: "The seven task tools have their arguments and results." },
  W6: { promise: "A claim has one holder at a time." },
  W7: { promise: "A lease lasts 300 s, heartbeats renew it, and its end frees the task." },
  W8: { promise: "A worker starts, polls, claims, beats, executes, completes and stops gracefully." },
  W9: { promise: "The planner gives objective, files, instructions, steps and context, with impact." },
  W10: { promise: "No change that does not trace to a plan." },
  W11: { promise: "An approval resumes a blocked run." },
  X1: { promise: "An artifact's interface is optional." },
  X2: { promise: "An interface has description and inputSchema, or methods." },
  X3: { promise: "Validation of arguments is opted into, and then refuses bad ones." },
  X4: { promise: "Interfaces can be discovered." },
  X5: { promise: "Every genesis artifact has an interface; ledger balances are right." },
  X6: { promise: "An artifact can be listed and called as an MCP tool." },
  D1: {
    promise:
      "Manifests in git declare tools and parameters; MCP, REST and OpenAPI are generated from them at each tag.",
  },
  D2: { promise: "Command line, CI and server validate alike, with file, line and column." },
  D3: { promise: "A version's semver is proven from its content." },
  D4: { promise: "A new tag is live without a restart; a bad one harms nothing." },
  D5: { promise: "GitHub Actions validate every pull request and release on merge." },
  D6: { promise: "Labels move by pull request, and moving one back is a rollback." },
  D7: {
    promise: "Acknowledged effects survive kill -9, power loss and a full disk; a retry with a key has one effect.",
  },
  D8: { promise: "Handlers run isolated, without ambient authority, within limits." },
  D9: { promise: "A stranger can verify the audit." },
  D10: { promise: "On a bare machine one command runs Cairn and one tests it." },
  D11: {
    promise:
      "Cairn installs and runs from a package, a git URL, npx and an image, and what `cairn init` writes works on machines that have never seen its sources.",
  },
  D12: {
    promise:
      "Tools act with credentials that neither their handlers nor logs, records or models see; what a handler throws or prints is shown where it was written.",
  },
};
