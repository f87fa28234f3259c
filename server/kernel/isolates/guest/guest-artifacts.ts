import type { ArtifactProgram, ArtifactRequest, Artifacts } from "../../../capabilities/artifacts/api.ts";

/** State of a run: over, or at a request. */
type Step =
  | { readonly done: true; readonly value?: never }
  | { readonly done: false; readonly run: number; readonly ask: number; readonly name: string; readonly args: unknown };

/** The declared methods behind `ctx.artifacts`. */
export interface ArtifactStubs extends Pick<Artifacts, "compile" | "ask"> {
  run(program: ArtifactProgram, request: ArtifactRequest): Promise<Step>;
  resume(run: number, ask: number, reply: object): Promise<Step>;
}

/** `ctx.artifacts`, whose `run` answers what the program asks until it is done. */
export function createArtifacts({ run, resume, compile, ask }: ArtifactStubs): Artifacts {
  return {
    async run(program, request) {
      let step = await run(program, request);
      while (!step.done) {
        const reply = await answerOne(request.answer, step.name, step.args);
        step = await resume(step.run, step.ask, reply);
      }
      return step.value as never;
    },
    compile,
    ask,
  };
}

async function answerOne(
  answer: ((name: string, args: unknown) => unknown) | undefined,
  name: string,
  args: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return { value: await answer?.(name, args) };
  } catch (error) {
    const said = typeof error === "object" && error !== null ? error : {};
    return { error: { name: text(said, "name"), message: text(said, "message") } };
  }
}

function text(said: object, member: string): string {
  const value: unknown = Reflect.get(said, member);
  return typeof value === "string" ? value : "";
}
