/** Suites that `npm run test:nodes` runs through a balancer over two nodes of one database, which know one service otherwise. */
export const NODES_SUITES: readonly string[] = ["test/e2e/mcp-sessions.test.ts"];

/** A test that two nodes cannot pass. */
export interface LeftOut {
  readonly suite: string;
  /** Beginning of its title as the suite has it, or of the title of what it stands in. */
  readonly title: string;
  readonly reason: string;
}

/** Tests of these suites that are left out with two nodes, each because it is about what only one service has. */
export const LEFT_OUT: readonly LeftOut[] = [];
