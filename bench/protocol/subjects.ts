import type { Contender } from "./contenders.ts";
import { GOOD_ANSWER } from "./contract.ts";
import type { Plan } from "./load/plan.ts";
import { type Dialect, openDialect, toCallRequest } from "./messages.ts";
import { smokeTest } from "./smoke-test.ts";
import { type Running, type StartOptions, start } from "./start.ts";

/** A contender that runs and has shown that it does the work. */
export interface Subject {
  readonly name: string;
  readonly running: Running;
  readonly dialect: Dialect;
  /** The call that every part but `lists` measures. */
  readonly plan: Plan;
}

export interface Unavailable {
  readonly name: string;
  readonly reason: string;
}

/** Starts a contender and checks what it does; rejects with what is wrong with it, and then nothing runs any more. */
export async function openSubject(
  contender: Contender,
  options: StartOptions,
  name = contender.name,
): Promise<Subject> {
  const running = await start(contender, options);
  try {
    const dialect = await openDialect(running);
    await smokeTest(running, dialect);
    const plan = { url: running.url, requests: [toCallRequest(dialect, running.tools)], needle: GOOD_ANSWER };
    return { name, running, dialect, plan };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** Those of some subjects that can be measured, and why the others cannot. */
export async function openSubjects(
  wanted: readonly { readonly contender: Contender; readonly tools: number; readonly name: string }[],
  say: (line: string) => void,
): Promise<{ subjects: Subject[]; unavailable: Unavailable[] }> {
  const subjects: Subject[] = [];
  const unavailable: Unavailable[] = [];
  for (const { contender, tools, name } of wanted) {
    try {
      subjects.push(await openSubject(contender, { tools }, name));
      say(`${name} is ready`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      unavailable.push({ name, reason });
      say(`${name} is not available: ${reason}`);
    }
  }
  return { subjects, unavailable };
}

export async function closeSubjects(subjects: readonly Subject[]): Promise<void> {
  await Promise.all(subjects.map(({ running }) => running.stop()));
}
