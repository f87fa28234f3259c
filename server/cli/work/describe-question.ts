import type { PlanQuestion } from "../../capabilities/knowledge/api.ts";

/** Describes what the planners ask about a task, and the command that answers. */
export function describeQuestion(taskId: string, { text, readings = [] }: PlanQuestion): readonly string[] {
  const how = readings.length === 0 ? "'...'" : (readings[0]?.id ?? "");
  return [
    `asks      ${text}`,
    ...readings.map(({ id, title }) => `reading   ${id}: ${title}`),
    `answer    cairn work answer ${taskId} ${how}`,
  ];
}
