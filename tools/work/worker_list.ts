import type { Handler } from "../../server/host-api.ts";

const workerList: Handler<object> = async (_, ctx) => ({ workers: await ctx.work.workers.list() });

export default workerList;
