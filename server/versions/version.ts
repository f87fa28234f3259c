import type { Check } from "../json/types.ts";
import type { Json } from "../json/types.ts";
import type { Content, JsonSchema } from "../host-api.ts";
import type { AgentCheck } from "./agent-check.ts";
import type { Deprecation } from "./retirement/deprecation.ts";
import type { History } from "./loaded-history.ts";
import type { Experiment } from "./experiment.ts";
import type { LiveTools } from "./live-tools.ts";
import type { Approval, Ceiling, Policy } from "./policy.ts";
import type { Problem } from "./problem.ts";
import type { Resource, ResourceTemplate } from "./resource.ts";
import type { ToolSecret } from "./secret.ts";
import type { StoredValue } from "./stored-value.ts";
import type { Upstream } from "./upstream.ts";
import type { Workflow } from "./workflow.ts";
import type { Syscall } from "../capabilities/declarations.ts";

/** One served commit: everything it needs to answer calls, checked, compiled and frozen. */
export interface Version {
  readonly commit: string;
  /** `current` of versions.yaml, without build name: `1.6.0` or `1.7.0-rc.1`. */
  readonly semver: string;
  readonly agent: Agent;
  readonly servers: ReadonlyMap<string, Server>;
  /** By full tool name, across servers. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly parameters: ReadonlyMap<string, ParameterSet>;
  readonly policies: readonly Policy[];
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly workflows: ReadonlyMap<string, Workflow>;
  readonly history: History;
  /** Digests of its manifests by file, of what they say with its order, but not of comments and layout. */
  readonly manifests: ReadonlyMap<string, string>;
  readonly program: Program;
  /** The digest of its surface, made when first asked for. */
  readonly fingerprint: () => string;
  /** Of a commit that no served tag leads to: what it may allow at most, and the pull request that it is a preview of. */
  readonly ceiling?: Ceiling;
  readonly preview?: number;
}

export interface Agent {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The host API that the handlers were written for; the server refuses one it cannot offer. */
  readonly hostApi: string;
  readonly defaults: { readonly limits: Limits };
  /** Reading by which its numbers are judged; absent: `declared`. */
  readonly compare?: "declared" | "strict";
  /** Run on every change that is made of the repository. */
  readonly checks: readonly AgentCheck[];
}

export interface Limits {
  /** Milliseconds from start to answer. */
  readonly time: number;
  /** Milliseconds of processor time that a handler may take without awaiting a syscall. */
  readonly cpu: number;
  /** Megabytes of the isolate's heap. */
  readonly memory: number;
  /** Bytes of input, and of output, as JSON. */
  readonly payload: number;
}

export interface Server {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly instructions?: string;
  /** Form of a failed call: an MCP tool result with isError, or a JSON-RPC error. */
  readonly errors: "tool" | "protocol";
  /** Versions that name the same state share it; without a name the state belongs to the commit alone. */
  readonly state?: string;
  /** Forms of what handlers keep there; absent: any. */
  readonly values?: readonly StoredValue[];
  readonly liveTools?: LiveTools;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
  /** True if one of its tools or prompts may ask its caller questions, for which older clients need a session. */
  readonly interactive: boolean;
  /** The manifest, for diagnostics. */
  readonly file: string;
}

export interface Tool {
  readonly server: string;
  /** The full name that clients use: `runner.get_weather`. */
  readonly name: string;
  readonly title?: string;
  readonly version: string;
  readonly description: string;
  readonly deprecated?: Deprecation;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly deterministic: boolean;
  readonly sideEffect: boolean;
  readonly idempotent: boolean;
  /** Abstract units that budgets count; 0 is free. */
  readonly cost: { readonly units: number };
  readonly requiredCapabilities: readonly string[];
  /** Calls that somebody else must approve, by the tool's own manifest and then by the policies that cover it. */
  readonly approvals: readonly Approval[];
  readonly tenantScoped: boolean;
  readonly session: "stateless" | "stateful";
  /** True if it may ask its caller questions while it runs. */
  readonly interactive: boolean;
  readonly uses: ReadonlySet<Syscall>;
  /** Hosts that it may reach, those of its secrets included. */
  readonly egress: readonly string[];
  /** Names of the upstreams that `ctx.mcp` may call. */
  readonly upstreams: readonly string[];
  readonly secrets: readonly ToolSecret[];
  readonly parameters: readonly string[];
  readonly limits: Limits;
  /** JSON Pointers into input and output whose values never reach logs or audit. */
  readonly redact: readonly string[];
  /** True if inputs and outputs may be kept for a time, to be replayed against other versions. */
  readonly record: boolean;
  /** True if what its handler is answered may be kept with them. */
  readonly tape: boolean;
  /** Days that they are kept at most; absent: as long as the operator says. */
  readonly recordDays?: number;
  readonly examples: readonly Example[];
  /** Returns what is wrong, `[]` when nothing is. The input it is given already has the schema's defaults. */
  readonly checkInput: Check;
  readonly checkOutput: Check;
  /** A copy of `input` with the defaults of its schema filled in. */
  readonly withDefaults: (input: unknown) => unknown;
  /** `output` without the members that its schema does not declare. */
  readonly stripUndeclared: (output: Json) => Json;
  readonly file: string;
  /** Path of the handler in the program. */
  readonly handler: string;
}

export interface Example {
  readonly description?: string;
  readonly input: unknown;
  readonly output?: unknown;
  /** A JSON Schema that the output must match, where it cannot be told exactly. */
  readonly matches?: JsonSchema;
  /** The name of the error that the call must end with. */
  readonly error?: string;
}

export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly PromptArgument[];
  /** `{{name}}` in texts and URIs stands for the argument of that name. */
  readonly messages: readonly PromptMessage[];
}

export type PromptMessage = { readonly role: "user" | "assistant" } & (
  | { readonly content: Content }
  /** Its text is a view of the running service, by its name in the server's table of providers. */
  | { readonly provider: string }
);

export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  /** Question to a person when the argument is missing. */
  readonly ask?: string;
  /** Values to suggest. */
  readonly suggestions: readonly string[];
}

export interface ParameterSet {
  readonly name: string;
  readonly description?: string;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly experiment?: Experiment;
  readonly file: string;
}

export type Parameter =
  | {
      readonly type: "categorical";
      readonly values: readonly (string | number | boolean)[];
      readonly default: string | number | boolean;
      readonly description?: string;
    }
  | {
      readonly type: "int" | "float";
      readonly min: number;
      readonly max: number;
      readonly scale: "linear" | "log";
      readonly step?: number;
      readonly default: number;
      readonly description?: string;
    };

/** The handlers' code, as the sandbox takes it. */
export interface Program {
  /** Programs of equal keys may share an isolate, and so must be the same: the commit. */
  readonly key: string;
  /** Whose calls alone it serves; absent: anybody's. */
  readonly tenant?: string;
  /** Programs of one owner are confined together when one of them harms others; absent: it is alone. */
  readonly owner?: string;
  /** Path in the tree to JavaScript, types already erased. */
  readonly modules: ReadonlyMap<string, string>;
  /** Megabytes: the most that any tool of the version asks for. */
  readonly memory: number;
}

/** A version to serve, with what no new tree may have (a later rule must not end what a tag promised); or what is wrong. */
export type Loaded =
  | { readonly ok: true; readonly version: Version; readonly notices?: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };
