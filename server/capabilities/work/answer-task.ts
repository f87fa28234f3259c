import { CairnError } from "../../errors.ts";
import { isSamePerson } from "../../principal.ts";
import { toTime } from "../../text/to-time.ts";
import type { PlanQuestion } from "../knowledge/api.ts";
import type { TaskAnswer } from "./api.ts";
import { openQueue } from "./create-task.ts";
import { entryKey, findTask, saveTask, type WorkDesk } from "./desk.ts";
import { changeTask, type Task } from "./task.ts";

/** Answers that one task takes: each has the service plan again. */
const ANSWER_LIMIT = 10;

/**
 * Answers the question of a task, which the service then plans anew. What is answered has the rights of the objective, so
 * nobody but the task's creator can lend it those.
 *
 * @throws NOT_FOUND; FORBIDDEN for others; CONFLICT for a task that asks nothing or is under way; BAD_REQUEST for a letter
 * that was not offered.
 */
export async function answerTask(desk: WorkDesk, taskId: string, answer: string): Promise<Task> {
  const { tenant, record: task } = await findTask(desk, taskId);
  if (tenant !== desk.tenant || !isSamePerson(task.created_by, desk.actor)) {
    throw new CairnError(
      "FORBIDDEN",
      `Task \`${taskId}\` is \`${task.created_by}\`'s, who alone answers its questions.`,
    );
  }
  const { question, answers = [], needs_worker: _left, ...rest } = task;
  if (question === undefined || task.status !== "pending") {
    const why = question === undefined ? "asks nothing" : `is ${task.status}`;
    throw new CairnError("CONFLICT", `Task \`${taskId}\` ${why}, so there is nothing to answer.`);
  }
  if (answers.length >= ANSWER_LIMIT) {
    throw new CairnError(
      "CONFLICT",
      `Task \`${taskId}\` was answered ${ANSWER_LIMIT} times; create one that says it all.`,
    );
  }
  const given = readAnswer(question, answer.trim(), toTime(desk.now));
  const answered = changeTask({ ...rest, answers: [...answers, given] }, desk.now, {});
  desk.delete(entryKey(tenant, desk.scope, task));
  await openQueue(desk, tenant, answered);
  desk.set(entryKey(tenant, desk.scope, answered), taskId);
  saveTask(desk, tenant, answered);
  return answered;
}

function readAnswer({ readings = [] }: PlanQuestion, text: string, answered_at: string): TaskAnswer {
  const [, letter] = /^(?:yes[,:]? +)?\(?([a-z])\)?[.!]?$/i.exec(text) ?? [];
  if (letter === undefined) return { text, answered_at };
  const chosen = readings.find(({ id }) => id === letter.toLowerCase());
  if (chosen !== undefined) return { text, reading: chosen.title, answered_at };
  const offered = readings.map(({ id }) => `\`${id}\``).join(", ");
  throw new CairnError(
    "BAD_REQUEST",
    offered === "" ? "No letters are offered; answer in words." : `It offers ${offered}.`,
  );
}
