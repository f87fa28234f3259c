// Written by `npm run types:console` from the schemas; a change here is lost.

/** As `schemas/conversation.schema.json` has it. */
export type Conversation = {
  conversation_id: string;
  version: string;
  commit: string;
  /** MCP server of its first call. */
  server: string;
  calls: readonly {
    /** Of this call; that of a conversation's first call is the conversation's. */
    id: string;
    /** Names the conversation for feedback and rewards. */
    conversation_id: string;
    /** The call whose handler made this one. */
    parent?: string;
    /** MCP server of the tool. */
    server: string;
    tool: string;
    tool_version: string;
    version: string;
    commit: string;
    /** Who called. */
    actor: string;
    /** Version as the address named it. */
    address?: string;
    /** Program that called, as it says itself. */
    client?: string;
    /** Of a call that somebody else had to approve: who did, and the task by which it waited. */
    approval?: {
      by: string;
      task: string;
    };
    /** The caller's own name of its request. */
    request_id?: string;
    /** The environment that the caller said it runs in. */
    environment?: string;
    /** RFC 3339. */
    started_at: string;
    duration_ms: number;
    /** `ok`, or the name of the error. */
    outcome: string;
    /** What was wrong. */
    message?: string;
    /** Experiment to parameter to the value that it ran with. */
    parameters: Readonly<Record<string, unknown>>;
    /** Lines that its handler wrote. */
    logs: readonly {
      at: string;
      level: string;
      message: string;
    }[];
  }[];
  /** What its tool remembers, as `session://{conversation_id}` has it; null where it remembers nothing, or the caller may not read it. */
  memory: Readonly<Record<string, unknown>> | null;
};

/** As `schemas/problem-details.schema.json` has it. */
export type ProblemDetails = {
  /** `urn:cairn:error:` and the name. */
  type: string;
  /** What this error means in general. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What was wrong here, where, and what would be right. */
  detail: string;
  /** The number of the dual code. */
  code: number;
  /** The name of the dual code. */
  name: string;
  /** Structured detail, where there is some. */
  details?: unknown;
  /** Of the call that failed. */
  conversation_id?: string;
};

/** As `schemas/tool-list.schema.json` has it. */
export type ToolList = {
  /** All tools of the version. */
  tools: readonly {
    /** Full name. */
    name: string;
    /** The MCP server it belongs to. */
    server: string;
    /** Its own semver. */
    version: string;
    /** Name for people. */
    title?: string;
    /** What it does. */
    description: string;
    /** Announced end of the tool; absent: it has none. */
    deprecated?: {
      /** The day from which it is deprecated. */
      since: string;
      /** The day on which its service ends, at 00:00 UTC. */
      sunset?: string;
      /** The tool to use in its place. */
      successor?: string;
      /** Why. */
      reason: string;
    };
    /** JSON Schema of the input. */
    inputSchema: Readonly<Record<string, unknown>>;
    /** JSON Schema of the output. */
    outputSchema: Readonly<Record<string, unknown>>;
    /** The same input always gives the same output. */
    deterministic: boolean;
    /** It changes something that outlives the call. */
    sideEffect: boolean;
    /** Calling it again changes nothing more. */
    idempotent: boolean;
    /** What a call costs. */
    cost: {
      /** In units that budgets count. */
      units: number;
    };
    /** What a caller must hold. */
    requiredCapabilities: readonly string[];
    /** Whether what it keeps is apart for each tenant. */
    tenantScoped: boolean;
    /** Whether it remembers conversations. */
    session: "stateless" | "stateful";
    /** Inputs with what they give. */
    examples: readonly Readonly<Record<string, unknown>>[];
  }[];
};

/** As `schemas/usage.schema.json` has it. */
export type Usage = {
  /** Uses before it are not counted, RFC 3339. */
  since: string;
  /** True if there are more than are counted or listed here. */
  truncated: boolean;
  /** Alike calls, or alike lists and reads, by one actor; those used last first. */
  uses: readonly {
    /** Who. */
    actor: string;
    /** Number of the version. */
    version: string;
    /** Its commit. */
    commit: string;
    /** Version as the address named it. */
    address?: string;
    /** Whether that is pinned, or follows what is released. */
    kind?: "pin" | "range" | "label" | "dev" | "tool" | "other";
    /** Program that called, as it says itself. */
    client?: string;
    /** Tool that was called. */
    tool?: string;
    /** Method of the lists or reads. */
    method?: string;
    /** Calls, without those by handlers. */
    calls: number;
    /** Those of them that failed. */
    failed: number;
    /** Lists and reads since ever. */
    reads: number;
    /** RFC 3339. */
    last_use: string;
  }[];
};

/** As `schemas/version-detail.schema.json` has it. */
export type VersionDetail = {
  /** Major, minor and patch. */
  version: string;
  /** The commit. */
  commit_hash: string;
  /** RFC 3339. */
  created_at: string;
  /** Its changes as Markdown. */
  changelog_uri: string;
  /** As in the listing. */
  tests: Readonly<Record<string, unknown>>;
  /** As in the listing. */
  tags: readonly string[];
  /** As in the listing. */
  runner?: Readonly<Record<string, unknown>>;
  /** As in the listing. */
  tuner?: Readonly<Record<string, unknown>>;
  /** As in the listing. */
  architect?: Readonly<Record<string, unknown>>;
  /** With pre-release part; null where it cannot be told. */
  semver: string | null;
  /** Name among several commits of the same semver. */
  build?: string;
  /** The git tag. */
  tag?: string;
  /** Whether it answers calls: `served` does. `unserved` is good, but no served tag leads to it, so it can only be read and compared; `preview` is the head of a pull request that may be tried. */
  state: "unverified" | "served" | "preview" | "unserved" | "quarantined";
  /** Announced end of the version, as the default branch has it; absent: it has none. */
  deprecated?: {
    /** The day from which it is deprecated. */
    since: string;
    /** The day on which its service ends, at 00:00 UTC. */
    sunset?: string;
    /** The version to use in its place. */
    successor?: string;
    /** Why. */
    reason: string;
    /** Whether its service has ended. */
    retired: boolean;
  };
  /** What it was made from; null for the first. */
  parent: {
    /** As versions.yaml has it. */
    named: string;
    /** What that means here. */
    version?: string;
    /** Its commit. */
    commit?: string;
  } | null;
  /** Whether its number says as much as its content needs: nobody has compared it with what it was made from yet (`unproven`), it names none (`first`), it does, or it does not. */
  claim: "unproven" | "first" | "proven" | "under-claimed";
  /** SHA-256 of everything that a client can see or depend on, as `cairn surface` prints it. */
  fingerprint?: string;
  /** What versions.yaml says that changed. */
  changes: readonly string[];
  /** Breaks that it is released with, although its number says less. Of those that are not the caller's business only rule and version are shown. */
  accepts?: readonly {
    /** The rule of the finding. */
    finding: string;
    /** The part of the surface. */
    of?: string;
    /** The member, argument or capability. */
    member?: string;
    /** The rule of the schema, where the entry names one. */
    how?: string;
    /** The version next to which it is accepted. */
    from: string;
    /** Why. */
    reason?: string;
    /** Who accepts it. */
    by?: string;
  }[];
  /** The agent's name. */
  agent?: string;
  /** The host API that its handlers were written for. */
  host_api?: string;
  /** Path of its OpenAPI document. */
  openapi?: string;
  /** Its MCP servers. */
  servers?: readonly {
    /** Name. */
    name: string;
    /** What it is for. */
    description: string;
    /** Path; absent where it answers no calls. */
    mcp_endpoint?: string;
    /** Links that add it to clients, by client; absent where it answers no calls. None holds a token. */
    install?: {
      cursor: {
        /** Opens the client. */
        link: string;
        /** Leads to the other, for pages that allow links of the web only. */
        web?: string;
      };
      vscode: {
        /** Opens the client. */
        link: string;
        /** Leads to the other, for pages that allow links of the web only. */
        web?: string;
      };
      "vscode-insiders": {
        /** Opens the client. */
        link: string;
        /** Leads to the other, for pages that allow links of the web only. */
        web?: string;
      };
      lmstudio: {
        /** Opens the client. */
        link: string;
        /** Leads to the other, for pages that allow links of the web only. */
        web?: string;
      };
      kiro: {
        /** Opens the client. */
        link: string;
        /** Leads to the other, for pages that allow links of the web only. */
        web?: string;
      };
      goose: {
        /** Opens the client. */
        link: string;
        /** Leads to the other, for pages that allow links of the web only. */
        web?: string;
      };
    };
    /** Its tools. */
    tools: readonly {
      /** Full name. */
      name: string;
      /** Own semver. */
      version: string;
    }[];
  }[];
  /** Why it is quarantined. */
  problems: readonly {
    /** Path in the repository. */
    file: string;
    /** From 1. */
    line: number;
    /** From 1. */
    column: number;
    /** What kind of mistake. */
    rule: string;
    /** What is wrong. */
    message: string;
    /** What would be right. */
    fix: string;
  }[];
  /** What happened to its tag upstream. */
  alarms: readonly Readonly<Record<string, unknown>>[];
};

/** As `schemas/version-difference.schema.json` has it. */
export type VersionDifference = {
  /** The one that is compared with. */
  from: {
    /** Its semver. */
    version: string;
    /** Its commit; zeros stand for files that are not committed. */
    commit: string;
    /** SHA-256 of its surface. */
    fingerprint: string;
  };
  /** The one that is compared. */
  to: {
    /** Its semver. */
    version: string;
    /** Its commit; zeros stand for files that are not committed. */
    commit: string;
    /** SHA-256 of its surface. */
    fingerprint: string;
  };
  /** The bump that all of the change needs. */
  required: "none" | "patch" | "minor" | "major";
  /** Whether a number says less than the change needs. */
  under_claimed: boolean;
  /** What the numbers say: first the tree's, then those of the tools that changed. */
  claims: readonly {
    /** Absent: the tree's number. */
    tool?: string;
    /** The number before. */
    from: string;
    /** The number after. */
    to: string;
    /** The largest change that it may stand for. */
    claimed: "none" | "patch" | "minor" | "major";
    /** What the change needs. */
    required: "none" | "patch" | "minor" | "major";
    /** The least number that would say so. */
    needed: string;
    /** Whether it says enough. */
    kept: boolean;
  }[];
  /** What needs the largest bump first. */
  findings: readonly {
    /** One of the rules of docs/semver.md. */
    rule: string;
    /** The bump it needs. */
    level: "none" | "patch" | "minor" | "major";
    /** The server it is about. */
    server?: string;
    /** The tool it is about. */
    tool?: string;
    /** Kind and name of the part of the surface that it is about. */
    of?: string;
    /** The member, argument or capability that it names. */
    member?: string;
    /** Who releases it with a number that says less, and why: from `accepts` of versions.yaml. */
    accepted?: {
      /** Why. */
      reason: string;
      /** Who. */
      by: string;
    };
    /** Of a schema: one of the rules of docs/compatibility.md. */
    schemaRule?: string;
    /** An example: of a break what worked before and does not after, of a wider input what is taken since. */
    value?: unknown;
    /** The output that came in place of the example, or the example as the tool read it, before the change. */
    before?: unknown;
    /** The output that comes in place of the example, or the example as the tool reads it, since the change. */
    after?: unknown;
    /** Why one of the versions refuses the example, in its own words. */
    refusal?: string;
    /** In plain words. */
    message: string;
    /** Path in the repository. */
    file: string;
    /** From 1. */
    line: number;
    /** From 1. */
    column: number;
    /** Which of the two trees the place is in. */
    side: "before" | "after";
  }[];
  /** How many findings are left out, because they are about policies or tools that the caller may not use. */
  hidden: number;
};

/** As `schemas/version-list.schema.json` has it. */
export type VersionList = {
  versions: readonly {
    /** Semantic version identifier. */
    version: string;
    /** Git commit hash backing this version. */
    commit_hash: string;
    /** Creation or publish time of this version. */
    created_at?: string;
    /** Optional URI to a human-readable changelog for this version. */
    changelog_uri?: string;
    /** Summary of test status for this version. */
    tests?: {
      /** Aggregate test result. */
      status?: "pass" | "fail" | "unknown";
      /** Time when tests were last run. */
      last_run?: string;
      /** Optional URI to detailed eval or test report. */
      summary_uri?: string;
    };
    /** Free-form labels (e.g., 'stable', 'canary'). */
    tags?: readonly string[];
    /** Runner MCP endpoint information. */
    runner?: {
      /** Path for the Runner MCP server for this version. */
      mcp_endpoint?: string;
    };
    /** Tuner MCP endpoint information. */
    tuner?: {
      /** Path for the Tuner MCP server for this version. */
      mcp_endpoint?: string;
    };
    /** Architect REST endpoint information. */
    architect?: {
      /** Path for the Architect REST chat endpoint for this version. */
      rest_endpoint?: string;
    };
  }[];
  /** Pagination metadata for this listing. */
  pagination?: {
    limit?: number;
    offset?: number;
    /** Estimated total number of versions available. */
    total_estimate?: number;
  };
};
