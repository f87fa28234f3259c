import type { Handler, TaskRecord } from "../../server/host-api.ts";

interface Input {
  readonly status?: TaskRecord["status"];
  readonly after?: string;
  readonly limit: number;
}

const taskList: Handler<Input> = (input, ctx) => ctx.work.tasks.list(input);

export default taskList;
