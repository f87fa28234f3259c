/** Interface of an artifact, in the form that MCP has for tools. */
export interface Interface {
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
}

/** Of an artifact with several methods. */
export interface MethodsInterface {
  readonly description?: string;
  readonly methods: Readonly<Record<string, Interface>>;
}

export type ArtifactInterface = Interface | MethodsInterface;

export type Schema = Readonly<Record<string, unknown>>;

/** Principals by name; `*` is everybody of the tenant. The owner may do everything without being named. */
export interface Permissions {
  /** See the code. */
  readonly read: readonly string[];
  /** Change it, and with it what it does in its owner's name. */
  readonly write: readonly string[];
  readonly invoke: readonly string[];
}

/** Grant for the code of an artifact. */
export type Use = "clock" | "random" | "state.read" | "state.write" | "invoke";

export type Language = "javascript" | "typescript";

/** Present state of an artifact, stored under its name; small, so that many can be listed. */
export interface Head {
  readonly name: string;
  readonly owner: string;
  /** The newest, from 1 on. */
  readonly revision: number;
  readonly permissions: Permissions;
  readonly description: string;
  /** Names of its methods; absent: it has none. */
  readonly methods?: readonly string[];
  readonly hasInterface: boolean;
  /** Words of its interface, for searches. */
  readonly words: string;
  readonly price: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An artifact as it was written at one time; never changed. */
export interface Revision {
  readonly revision: number;
  readonly author: string;
  readonly createdAt: number;
  readonly language: Language;
  /** As it was written, and as it runs. */
  readonly code: string;
  readonly program: string;
  /** Absent: it takes positional arguments that nobody knows of. */
  readonly interface?: ArtifactInterface;
  readonly uses: readonly Use[];
  /** Price of each invocation for its caller. */
  readonly price: number;
}

/** Stands where an artifact was, so that its name and its numbers never come to mean something else. */
export interface Tombstone {
  readonly deleted: true;
  readonly owner: string;
  readonly revision: number;
}

export function hasMethods(one: ArtifactInterface): one is MethodsInterface {
  return "methods" in one;
}
