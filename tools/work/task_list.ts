import type { Handler } from "../../server/host-api.ts";
import type { TaskRecord } from "../../server/work-api.ts";

interface Input {
  readonly status?: TaskRecord["status"];
  readonly after?: string;
  readonly limit: number;
}

const taskList: Handler<Input> = (input, ctx) => ctx.work.tasks.list(input);

export default taskList;
