// Written by `npm run types:console` from the schemas; a change here is lost.

/** As `schemas/approvals.schema.json` has it. */
export type Approvals = {
  /** Each run or call. */
  waiting: readonly {
    /** Its task. */
    task_id: string;
    /** Its run, whose evidence says what is to be decided. */
    run_id: string;
    /** What it is about. */
    title: string;
    /** The workflow of the task. */
    workflow: string;
    /** Who asked for it. */
    created_by: string;
    /** RFC 3339, in UTC. */
    since: string;
    /** What it waits for, in a sentence. */
    reason: string;
    /** What stands in the way of a decision, in sentences. */
    warnings: readonly string[];
    /** Says whether the caller of this list may read what is to be decided: the input of a call is for its caller and for those who decide, a run for all who read tasks. */
    may_read: boolean;
  }[];
  /** The tool that takes decisions; null where this version has none. */
  decider: string | null;
};

/** As `schemas/architect-feedback.schema.json` has it. */
export type ArchitectFeedback = {
  /** Identifies it. */
  id: string;
  /** `waiting` is for somebody's approval. */
  status: "running" | "waiting" | "ended";
  /** What is being done. */
  stage?: "received" | "approval" | "proposing" | "checks" | "landed" | "ended";
  /** What is being done, or waited for, in a sentence; absent just after a start. */
  doing?: string;
  /** The version that it is about. */
  version: string;
  /** Its commit. */
  commit: string;
  /** Whether nothing is to be changed. */
  dry_run: boolean;
  /** RFC 3339, in UTC. */
  created_at: string;
  /** Its task, in the `work` server. */
  task_id: string;
  /** The run that works on it; its evidence has everything. */
  run_id?: string;
  /** Which planner understood it. */
  planner?: "directives" | "evidence" | "model" | "worker" | "wishes";
  /** The readings that the answer asks about; `yes <id> <letter>` as feedback chooses one. Absent: it asks nothing. */
  offered?: readonly {
    /** Its letter. */
    id: "a" | "b" | "c";
    /** What it would change. */
    title: string;
  }[];
  /** The change on its way. */
  proposal?: {
    /** The version that it makes. */
    version: string;
    /** The branch that it lands on. */
    base: string;
    /** Its own branch. */
    branch?: string;
    /** Its address on the forge. */
    url?: string;
  };
  /** What it was answered, as spec/1 has it. */
  answer?: {
    /** What came of it. */
    result: "committed" | "tuned" | "rejected";
    /** The version that was made; of a dry run the one that would be. */
    new_version?: string;
    /** The commit that landed. */
    commit_hash?: string;
    /** What happened and why, for people. */
    notes: string;
  };
  /** Why it could not be worked out. */
  error?: {
    /** Number of the error. */
    code: number;
    /** Its name. */
    name: string;
    /** A sentence. */
    message: string;
    /** What else there is to know. */
    details?: unknown;
  };
};

/** As `schemas/calls.schema.json` has it. */
export type Calls = {
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
  /** `cursor` of the next page; absent on the last one. */
  next?: string;
};

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

/** As `schemas/feedback-list.schema.json` has it. */
export type FeedbackList = {
  /** The feedback of this page. */
  feedback: readonly {
    /** Identifies it. */
    id: string;
    /** `waiting` is for somebody's approval. */
    status: "running" | "waiting" | "ended";
    /** What is being done. */
    stage: "received" | "approval" | "proposing" | "checks" | "landed" | "ended";
    /** The version that it is about. */
    version: string;
    /** Its commit. */
    commit: string;
    /** Whether nothing is to be changed. */
    dry_run: boolean;
    /** RFC 3339, in UTC. */
    created_at: string;
    /** Its task, in the `work` server. */
    task_id: string;
    /** The run that works on it; its evidence has everything. */
    run_id?: string;
    /** Which planner understood it. */
    planner?: "directives" | "evidence" | "model" | "worker" | "wishes";
    /** The readings that the answer asks about; `yes <id> <letter>` as feedback chooses one. Absent: it asks nothing. */
    offered?: readonly {
      /** Its letter. */
      id: "a" | "b" | "c";
      /** What it would change. */
      title: string;
    }[];
    /** The change on its way. */
    proposal?: {
      /** The version that it makes. */
      version: string;
      /** The branch that it lands on. */
      base: string;
      /** Its own branch. */
      branch?: string;
      /** Its address on the forge. */
      url?: string;
    };
    /** What it was answered, as spec/1 has it. */
    answer?: {
      /** What came of it. */
      result: "committed" | "tuned" | "rejected";
      /** The version that was made; of a dry run the one that would be. */
      new_version?: string;
      /** The commit that landed. */
      commit_hash?: string;
      /** What happened and why, for people. */
      notes: string;
    };
    /** Why it could not be worked out. */
    error?: {
      /** Number of the error. */
      code: number;
      /** Its name. */
      name: string;
      /** A sentence. */
      message: string;
      /** What else there is to know. */
      details?: unknown;
    };
    /** Who sent it. */
    actor: string;
    /** The message, cut after 500 characters. */
    message: string;
  }[];
  /** The `cursor` of the next page; absent on the last. */
  next?: string;
};

/** As `schemas/limits.schema.json` has it. */
export type Limits = {
  /** Number of the version. */
  version: string;
  /** Its commit. */
  commit: string;
  /** Limits of all callers of the tenant together. */
  tenant: {
    /** Calls a minute; absent: unlimited. */
    rate?: {
      /** All of them. */
      allowed: number;
      /** Those that are left at this moment. */
      left: number;
    };
    /** Calls at once; absent: unlimited. */
    concurrency?: {
      /** All of them. */
      allowed: number;
      /** Those that run. */
      running: number;
    };
    /** Sum of the costs of a day (UTC); absent: unlimited. */
    daily_cost?: {
      /** All of it. */
      allowed: number;
      /** Cost of today's calls. */
      spent: number;
    };
  };
  /** Limits of the caller. */
  actor: {
    /** Calls a minute; absent: unlimited. */
    rate?: {
      /** All of them. */
      allowed: number;
      /** Those that are left at this moment. */
      left: number;
    };
    /** Calls at once; absent: unlimited. */
    concurrency?: {
      /** All of them. */
      allowed: number;
      /** Those that run. */
      running: number;
    };
    /** Sum of the costs of a day (UTC); absent: unlimited. */
    daily_cost?: {
      /** All of it. */
      allowed: number;
      /** Cost of today's calls. */
      spent: number;
    };
  };
  /** Tools with a limit of their own that the caller may use. */
  tools: readonly {
    /** Full name of the tool. */
    name: string;
    /** Calls a minute; absent: unlimited. */
    rate?: {
      /** All of them. */
      allowed: number;
      /** Those that are left at this moment. */
      left: number;
    };
    /** Calls at once; absent: unlimited. */
    concurrency?: {
      /** All of them. */
      allowed: number;
      /** Those that run. */
      running: number;
    };
    /** Sum of the costs of a day (UTC); absent: unlimited. */
    daily_cost?: {
      /** All of it. */
      allowed: number;
      /** Cost of today's calls. */
      spent: number;
    };
  }[];
};

/** As `schemas/me.schema.json` has it. */
export type Me = {
  /** Whose records the caller reads and writes. */
  tenant: string;
  /** Name of the caller in its tenant. */
  actor: string;
  /** Roles of the credentials; each version's policies say what they grant. */
  roles: readonly string[];
  /** What the credentials may be used for: names of MCP servers and of parts of the service; `*` stands for all. */
  scopes: readonly string[];
  /** True where the service asks callers for no token. */
  anonymous: boolean;
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

/** As `schemas/replays.schema.json` has it. */
export type Replays = {
  /** Commit whose calls were recorded. */
  from: string;
  /** Commit that they were replayed with. */
  to: string;
  /** Calls by outcome, those that are not listed too. */
  counts: {
    /** They came out otherwise. */
    different: number;
    /** Nothing could be said of them. */
    not_compared: number;
    /** They came out alike. */
    same: number;
  };
  /** Calls, those that differ first. */
  replays: readonly {
    /** The recorded call. */
    call_id: string;
    /** Full name of its tool. */
    tool: string;
    /** How it came out; older results say `skipped` for `not_compared`. */
    outcome: "different" | "not_compared" | "same" | "skipped";
    /** What differs, or why nothing could be said. */
    reasons: readonly string[];
    /** Time of the replay, RFC 3339. */
    at: string;
  }[];
  /** True if there are more than are listed. */
  truncated: boolean;
};

/** As `schemas/rights.schema.json` has it. */
export type Rights = {
  version: string;
  commit: string;
  /** Roles of the caller that are not revoked. */
  roles: readonly string[];
  /** Those that the version's tools or the service ask for, and the caller holds. */
  capabilities: readonly string[];
  /** MCP servers of the version that the caller's credentials may be used for. */
  servers: readonly string[];
  /** Tools that the caller may call, on these servers. */
  tools: readonly string[];
};

/** As `schemas/run.schema.json` has it. */
export type Run = {
  /** Of this record. */
  schema_version: 1;
  /** Identifies the run. */
  run_id: string;
  /** The task that it is an attempt at. */
  task_id: string;
  /** The workflow that it follows. */
  workflow: string;
  /** Where it stands: `lost` ran out of its lease, `approved` waits to be taken up again. */
  status: "running" | "blocked" | "approved" | "completed" | "failed" | "lost" | "released" | "cancelled" | "rejected";
  /** How risky what it changed is; null before its gate. */
  risk_level: "low" | "medium" | "high" | null;
  /** Where its evidence lies, as tools name it. */
  run_path: string;
  /** RFC 3339, in UTC. */
  timestamps: {
    /** When it was made. */
    created_at: string;
    /** When it last changed. */
    updated_at: string;
    /** When it ended; null while it has not. */
    ended_at?: string | null;
  };
  /** The version whose workflow it follows. */
  version: string;
  /** The commit that its workspace begins from. */
  commit: string;
  /** Who does it. */
  worker_id: string;
  /** Whose credentials claimed it. */
  actor: {
    /** Its tenant. */
    tenant: string;
    /** Its name there. */
    name: string;
  };
  /** Of its lease: whoever holds an older one can write nothing. */
  fence: number;
  /** Which attempt of the task it is. */
  attempt: number;
  /** How long it is the worker's, by the store's clock. */
  lease: {
    /** Seconds from each heartbeat on. */
    seconds: number;
    /** When it ends without a heartbeat. */
    expires_at: string;
  };
  /** The steps of its workflow that have begun. */
  steps: readonly {
    /** Its name. */
    name: string;
    /** Where it stands. */
    status: "running" | "completed" | "blocked" | "failed";
    /** When it began. */
    began_at: string;
    /** When it ended. */
    ended_at: string | null;
    /** What is to be said of it. */
    message?: string;
  }[];
  /** Its evidence, by name. */
  artifacts: Readonly<
    Record<
      string,
      {
        /** SHA-256 of the content, in hexadecimal. */
        digest: string;
        /** Of UTF-8. */
        bytes: number;
        /** When it was last written. */
        written_at: string;
      }
    >
  >;
  /** What came of it, in the worker's words. */
  result_summary: string | null;
  /** What was known against it when it began; absent: nothing. */
  warnings?: readonly string[];
  /** Its change on the way to the repository; absent: it was not handed over. */
  proposal?: {
    /** Where it stands: `by_hand` is left to people, `approval` and `checks` wait, `live` is served. */
    state: "by_hand" | "verifying" | "approval" | "proposing" | "checks" | "landed" | "live" | "refused";
    /** When it came to stand there. */
    since: string;
    /** The task of the Architect that it goes on as; null where there is none. */
    feedback: string | null;
    /** The run of that task; null before it begins. */
    run_id: string | null;
    /** The branch that it lands on. */
    base?: string;
    /** Its own branch on the forge. */
    branch?: string;
    /** Its address on the forge. */
    url?: string;
    /** The version that it makes; absent where no number changes. */
    version?: string;
    /** The commit that landed. */
    commit?: string;
    /** Why it is refused or left to people. */
    reason?: string;
  };
};

/** As `schemas/sync.schema.json` has it. */
export type Sync = {
  /** The repository, without credentials. */
  upstream: string;
  /** Looks at it since the start. */
  syncs: {
    /** Those that read it. */
    succeeded: number;
    /** Those that could not. */
    failed: number;
  };
  /** Last time that it was read; absent: never since the start. */
  last_success?: string;
  /** Last time that it could not be read; absent: never since the start. */
  last_failure?: {
    /** RFC 3339. */
    at: string;
    /** Why. */
    message: string;
  };
  /** Since when it cannot be read; absent: it can. */
  failing_since?: string;
  /** Tagged versions by state. */
  versions: {
    /** They answer calls. */
    served: number;
    /** Nobody has looked at them yet. */
    unverified: number;
    /** They are refused. */
    quarantined: number;
  };
  /** Heads of pull requests. */
  pull_requests: number;
  /** Each label, and what the default branch says that it means. */
  labels: Readonly<Record<string, string>>;
  /** Why the newest labels are not in force. */
  label_problems: readonly {
    /** Path in the repository. */
    file: string;
    /** From 1. */
    line: number;
    /** From 1. */
    column: number;
    /** What is wrong. */
    message: string;
    /** What would be right. */
    fix: string;
  }[];
  /** Tags that were moved or deleted upstream. */
  alarms: readonly {
    /** Name of the tag. */
    tag: string;
    /** What became of it. */
    kind: "moved" | "deleted";
  }[];
  /** Versions whose tags could not be copied. */
  missing: readonly {
    /** Name of the version. */
    version: string;
    /** Why. */
    reason: string;
  }[];
};

/** As `schemas/task.schema.json` has it. */
export type Task = {
  /** Of this record. */
  schema_version: 1;
  /** Identifies the task. */
  task_id: string;
  /** A line that says what it is. */
  title: string;
  /** What is to be reached, in plain words or with a unified diff in it. */
  objective: string;
  /** Where it stands: `dead` was tried too often. */
  status: "pending" | "running" | "blocked" | "completed" | "rejected" | "cancelled" | "dead";
  /** Which goes first. */
  priority: "low" | "medium" | "high" | "critical";
  /** RFC 3339, in UTC. */
  timestamps: {
    /** When it was made. */
    created_at: string;
    /** When it last changed. */
    updated_at: string;
    /** When it ended; null while it has not. */
    ended_at?: string | null;
  };
  /** Where its latest run works, below the service's data folder; null before its first. */
  workspace_path: string | null;
  /** The workflow that its runs follow. */
  workflow: string;
  /** The version that it was made with. */
  version: string;
  /** The commit that its runs begin from. */
  commit: string;
  /** Who asked for it. */
  created_by: string;
  /** What a worker must be able to do to get it. */
  requires: readonly string[];
  /** Why the service cannot do its steps, in sentences; absent: it is for all workers. */
  needs_worker?: string;
  /** Question about the objective that its requester can answer; absent: there is none. */
  question?: {
    /** What to say, in sentences. */
    text: string;
    /** What the objective may mean, to choose from. */
    readings?: readonly {
      /** Letter to answer with. */
      id: string;
      /** Changes that it would make, in sentences. */
      title: string;
    }[];
  };
  /** Answers to such questions, the oldest first: they belong to the objective. */
  answers?: readonly {
    /** What was answered. */
    text: string;
    /** Title of the reading that it chooses; absent: it is in words. */
    reading?: string;
    /** When, RFC 3339 in UTC. */
    answered_at: string;
  }[];
  /** Runs that have begun and count. */
  attempts: number;
  /** How many may fail. */
  max_attempts: number;
  /** Its latest run. */
  run_id: string | null;
  /** What came of it, in the worker's words. */
  result_summary: string | null;
};

/** As `schemas/tokens.schema.json` has it. */
export type Tokens = {
  /** The newest first. */
  tokens: readonly {
    /** Identifies it; `cairn token revoke` takes it. */
    id: string;
    /** Name that its maker gave it. */
    name: string;
    /** Who calls with it. */
    actor: string;
    /** Roles that it gives. */
    roles: readonly string[];
    /** What it may be used for. */
    scopes: readonly string[];
    /** RFC 3339. */
    created_at: string;
    /** Absent: it does not expire. */
    expires_at?: string;
    /** Absent: nobody has revoked it. */
    revoked_at?: string;
  }[];
  /** True if there are more than are listed. */
  truncated: boolean;
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

/** As `schemas/version-graph.schema.json` has it. */
export type VersionGraph = {
  versions: readonly {
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
    /** Whether its number says as much as its content needs: nobody has compared it with what it was made from yet (`unproven`), it names none (`first`), it does, or it does not. */
    claim: "unproven" | "first" | "proven" | "under-claimed";
    /** The version that it was made from, by its name or commit, which addresses take; null where it names none, or cannot be read. */
    parent: string | null;
    /** Labels of the default branch that mean it. */
    labels: readonly string[];
    /** Number of the pull request whose head it is. */
    pull_request?: number;
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
  }[];
  /** Versions and heads on all pages. */
  total: number;
  /** `cursor` of the next page; absent on the last one. */
  next?: string;
};

/** As `schemas/waiting-call-shown.schema.json` has it. */
export type WaitingCallShown = {
  /** Of this record. */
  schema_version: 1;
  /** The task by which it waits. */
  task_id: string;
  /** The run of that task. */
  run_id: string;
  /** Who made it. */
  caller: string;
  /** Semver of the version that is to answer. */
  version: string;
  /** The commit of that version. */
  commit: string;
  /** The MCP server. */
  server: string;
  /** The tool's full name. */
  tool: string;
  /** The tool's own semver. */
  tool_version: string;
  /** The whole input, with its defaults filled in. */
  input: unknown;
  /** Who may decide, and until when. */
  approval: {
    /** The role that the approver must have. */
    by: string;
    /** Further roles that must approve it, each of them. */
    also?: readonly string[];
    /** RFC 3339, in UTC. */
    expires_at: string;
  };
};
