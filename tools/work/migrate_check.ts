import type { Handler } from "../../server/host-api.ts";

const migrateCheck: Handler = (_, ctx) => ctx.work.migrations.check();

export default migrateCheck;
