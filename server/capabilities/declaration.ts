/** Promises of a tool's manifest that forbid it some grants. */
export type Promised = "deterministic" | "no side effect" | "no tenant";

/** A word under `uses` of a manifest: what it lets a handler do. */
export interface Grant {
  /** The promises that a tool which uses it cannot make. */
  readonly breaks: readonly Promised[];
  /** True if the syscall asks the caller's side questions, so that the tool must be `interactive`. */
  readonly asks?: true;
}

/**
 * One syscall, declared once: isolates make the method of `ctx` of it, the dispatch checks calls by it, and previews refuse
 * by it. Pure data, because isolates load it.
 */
export interface SyscallDeclaration<Word extends string = string> {
  /** The name under which it leaves the isolate. */
  readonly name: string;
  /**
   * The method's arguments in order. A name is one argument; a list of names is an object with these members, or nothing. A
   * name with `?` may be missing. All of them become members of one object.
   */
  readonly takes?: readonly (string | readonly string[])[];
  /** The grant that it needs; absent: every handler may use it. */
  readonly needs?: Word;
  /** True if it changes anything that outlives the call; refused to tools with `sideEffect: false`. */
  readonly mutates?: true;
  /** A note is not answered. */
  readonly isNote?: true;
  /** True if it may go without an answer where nothing can refuse it; what refuses it all the same ends the call. */
  readonly isStaged?: true;
  /** True if it reaches only the preview's own data, or a host of its ceiling. Absent: previews refuse it. */
  readonly inPreviews?: true;
}

/** Declarations in the shape of the interface whose methods they are, so that the compiler finds one that is missing. */
export type Declarations<Api, Word extends string = string> = {
  readonly [Member in keyof Api]: Api[Member] extends (...args: never[]) => unknown
    ? SyscallDeclaration<Word>
    : Declarations<Api[Member], Word>;
};

export interface DeclarationTree<Word extends string = string> {
  readonly [member: string]: SyscallDeclaration<Word> | DeclarationTree<Word>;
}

/** The names of all syscalls in a tree of declarations. */
export type NameOf<Tree> = Tree extends { readonly name: infer Name extends string }
  ? Name
  : { [Member in keyof Tree]: NameOf<Tree[Member]> }[keyof Tree];

/** All declarations of a tree, in order. */
export function listDeclarations<Word extends string>(
  tree: DeclarationTree<Word>,
): readonly SyscallDeclaration<Word>[] {
  return Object.values(tree).flatMap((node) => (isDeclaration(node) ? [node] : listDeclarations(node)));
}

function isDeclaration<Word extends string>(
  node: SyscallDeclaration<Word> | DeclarationTree<Word>,
): node is SyscallDeclaration<Word> {
  return typeof node.name === "string";
}
