import type { Artifacts } from "../../../capabilities/artifacts/api.ts";
import type { AskNamed } from "./guest-work.ts";

/** How far a run is: over, or at something that it asks. */
type Step =
  | { readonly done: true; readonly value?: never }
  | { readonly done: false; readonly run: number; readonly ask: number; readonly name: string; readonly args: unknown };

/** `ctx.artifacts`. */
export function createArtifacts(ask: AskNamed): Artifacts {
  return {
    async run(program, { input, clock, seed, asks, answer }) {
      let step: Step = await ask("artifacts.run", { program, input }, { clock, seed, asks });
      while (!step.done) {
        const { run, name, args } = step;
        const reply = await answerOne(answer, name, args);
        step = await ask("artifacts.resume", { run, ask: step.ask }, reply);
      }
      return step.value as never;
    },
    compile: (program) => ask("artifacts.compile", { program }),
    ask: (name, args) => ask("artifacts.ask", { name, args }),
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
