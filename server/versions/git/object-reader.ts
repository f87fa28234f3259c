import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { CairnError } from "../../errors.ts";
import type { Git } from "./git.ts";

interface ObjectInfo {
  readonly oid: string;
  readonly type: string;
  readonly size: number;
}

/** Reads objects of one repository, also such as appear later, through one process that stays. */
export interface ObjectReader {
  /**
   * Of an object id or the beginning of one, also `<id>^{commit}`, `<id>^{tree}` or peeled: `<id>^{}`. Absent when there
   * is no such object; a beginning that several have is of type `ambiguous`.
   */
  info(name: string): Promise<ObjectInfo | undefined>;
  /** The bytes of an object of at most `maxBytes`; larger is `undefined`, absent or damaged is INTERNAL_ERROR. */
  read(oid: string, maxBytes: number): Promise<Buffer | undefined>;
  close(): void;
}

interface Request {
  readonly line: string;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: CairnError) => void;
  /** Number of processes that ended while this request was the next. */
  deaths: number;
}

interface Answer extends ObjectInfo {
  readonly bytes: Buffer | undefined;
}

const NAME = /^[0-9a-f]{4,64}(?:\^\{(?:commit|tree)?\})?$/;
/** Largest part of one object in memory at once, for any request. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
const MAX_PENDING = 50_000;
/** A process that owes an answer and says nothing for so long is ended. */
const STALLED_MS = 30_000;
/** Processes in a row that ended without any answer: the repository itself is broken. */
const MAX_FRUITLESS = 6;

/** The process that answers, if one runs, and what it owes. */
interface Pipe {
  readonly start: () => ChildProcessWithoutNullStreams;
  child: ChildProcessWithoutNullStreams | undefined;
  pending: Request[];
  unsent: string[];
  /** Number of processes in a row that ended without any answer. */
  fruitless: number;
  closed: boolean;
  stalled: NodeJS.Timeout | undefined;
}

export function openObjectReader(git: Git, gitDir: string): ObjectReader {
  const start = () => git.start([`--git-dir=${gitDir}`, "cat-file", "--batch-command", "--buffer"]);
  const pipe: Pipe = {
    start,
    child: undefined,
    pending: [],
    unsent: [],
    fruitless: 0,
    closed: false,
    stalled: undefined,
  };
  return Object.freeze({
    info: async (name: string) => {
      if (!NAME.test(name)) return undefined;
      const answer = await ask(pipe, `info ${name}`);
      return answer && { oid: answer.oid, type: answer.type, size: answer.size };
    },
    read: async (oid: string, maxBytes: number) => {
      const info = NAME.test(oid) ? await ask(pipe, `info ${oid}`) : undefined;
      if (info === undefined) throw new CairnError("INTERNAL_ERROR", `The repository lacks the object \`${oid}\`.`);
      if (info.size > Math.min(maxBytes, MAX_OBJECT_BYTES)) return undefined;
      const answer = await ask(pipe, `contents ${info.oid}`);
      if (answer?.bytes === undefined) throw new CairnError("INTERNAL_ERROR", `The object \`${oid}\` cannot be read.`);
      return answer.bytes;
    },
    close: () => {
      pipe.closed = true;
      calm(pipe);
      pipe.child?.stdin.end();
      for (const request of pipe.pending.splice(0)) {
        request.reject(new CairnError("UNAVAILABLE", "The repository was closed."));
      }
    },
  });
}

function ask(pipe: Pipe, line: string): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    if (pipe.closed) return reject(new CairnError("UNAVAILABLE", "The repository is closed."));
    if (pipe.pending.length >= MAX_PENDING) return reject(new CairnError("UNAVAILABLE", "Too many reads are waiting."));
    submit(pipe, { line, resolve, reject, deaths: 0 });
  });
}

function submit(pipe: Pipe, request: Request): void {
  pipe.pending.push(request);
  // Requests of one turn of the event loop travel together.
  if (pipe.unsent.length === 0) queueMicrotask(() => send(pipe));
  pipe.unsent.push(request.line);
}

function send(pipe: Pipe): void {
  if (pipe.closed || pipe.unsent.length === 0) return;
  pipe.child ??= startProcess(pipe);
  pipe.child.stdin.write(`${pipe.unsent.join("\n")}\nflush\n`);
  pipe.unsent = [];
  pipe.stalled ??= setTimeout(() => pipe.child?.kill("SIGKILL"), STALLED_MS);
}

function calm(pipe: Pipe): void {
  clearTimeout(pipe.stalled);
  pipe.stalled = undefined;
}

function startProcess(pipe: Pipe): ChildProcessWithoutNullStreams {
  const started = pipe.start();
  const parse = createParser(() => pipe.pending[0]?.line.startsWith("contents") ?? false);
  let stderr = "";
  let failure: CairnError | undefined;
  const fail = (error: CairnError) => {
    failure ??= error;
    started.kill("SIGKILL");
  };
  started.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-1_000);
  });
  started.stdin.on("error", () => undefined);
  started.on("error", (cause) => fail(new CairnError("INTERNAL_ERROR", cause.message, { cause })));
  started.stdout.on("data", (chunk: Buffer) => {
    for (const answer of parse(chunk)) {
      pipe.fruitless = 0;
      pipe.stalled?.refresh();
      if (answer === "garbled") return fail(new CairnError("INTERNAL_ERROR", "`git cat-file` answered nonsense."));
      pipe.pending.shift()?.resolve(answer);
    }
    if (pipe.pending.length === 0) calm(pipe);
  });
  started.on("close", () => {
    const said = stderr.trim().split("\n").at(-1) ?? "";
    recover(pipe, failure ?? new CairnError("INTERNAL_ERROR", `\`git cat-file\` ended: ${said || "no reason given"}`));
  });
  return started;
}

/** Asks again for what an ended process still owed. A request that ended two processes is given up. */
function recover(pipe: Pipe, error: CairnError): void {
  pipe.child = undefined;
  calm(pipe);
  const owed = pipe.pending;
  pipe.pending = [];
  pipe.unsent = [];
  const first = owed[0];
  if (first === undefined || pipe.closed) return;
  pipe.fruitless += 1;
  first.deaths += 1;
  const lost = pipe.fruitless >= MAX_FRUITLESS ? owed.length : first.deaths > 1 ? 1 : 0;
  for (const request of owed.slice(0, lost)) request.reject(error);
  for (const request of owed.slice(lost)) submit(pipe, request);
}

/** Cuts the output of `cat-file` into answers; `undefined` stands for "missing". */
function createParser(expectsBytes: () => boolean): (chunk: Buffer) => Generator<Answer | undefined | "garbled"> {
  let chunks: Buffer[] = [];
  let [length, needed] = [0, 1];

  return function* parse(chunk) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < needed) return;
    let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    while (rest.length > 0) {
      const end = rest.indexOf(0x0a);
      needed = rest.length + 1;
      if (end < 0) break;
      const header = rest.toString("latin1", 0, end);
      const [, oid, type, size] = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(header) ?? [];
      if (oid === undefined || type === undefined) {
        rest = rest.subarray(end + 1);
        if (header.endsWith(" ambiguous")) yield { oid: "", type: "ambiguous", size: 0, bytes: undefined };
        else yield header.endsWith(" missing") ? undefined : "garbled";
        continue;
      }
      const bytes = expectsBytes() ? Number(size) : undefined;
      const next = bytes === undefined ? end + 1 : end + 1 + bytes + 1;
      needed = next;
      if (rest.length < next) break;
      // A copy, so that one small object does not keep a whole chunk alive.
      const content = bytes === undefined ? undefined : Buffer.from(rest.subarray(end + 1, next - 1));
      rest = rest.subarray(next);
      yield { oid, type, size: Number(size), bytes: content };
    }
    [chunks, length] = [[rest], rest.length];
    if (length === 0) [chunks, needed] = [[], 1];
  };
}
