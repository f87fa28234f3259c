/** Suites that `npm run test:nodes` runs through a balancer over two nodes of one database, which know one service otherwise. */
export const NODES_SUITES: readonly string[] = [
  "test/e2e/mcp-sessions.test.ts",
  "test/e2e/mcp-streams.test.ts",
  "test/e2e/mcp-questions.test.ts",
  "test/e2e/mcp-modern.test.ts",
  "test/e2e/mcp.test.ts",
  "test/e2e/rest.test.ts",
  "test/e2e/artifacts.test.ts",
  "test/e2e/beliefs.test.ts",
  "test/e2e/state.test.ts",
  "test/e2e/work.test.ts",
  "test/e2e/tuning.test.ts",
  "test/e2e/approvals.test.ts",
  "test/e2e/architect.test.ts",
  "test/e2e/architect-requests.test.ts",
  "test/e2e/architect-workers.test.ts",
  "test/e2e/work-landing.test.ts",
  "test/e2e/policies.test.ts",
  "test/e2e/roles.test.ts",
  "test/e2e/usage.test.ts",
];

/** A test that two nodes cannot pass. */
export interface LeftOut {
  readonly suite: string;
  /** Beginning of its title as the suite has it, or of the title of what it stands in. */
  readonly title: string;
  readonly reason: string;
}

/** Tests of these suites that are left out with two nodes, each because it is about what only one service has. */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    suite: "test/e2e/rest.test.ts",
    title: "[V1] says for how long, and is a 304 to whoever has it",
    reason: "Answers are `private` where callers need a token, and nodes want one.",
  },
];
