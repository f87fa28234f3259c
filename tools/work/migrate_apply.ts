import type { Handler } from "../../server/host-api.ts";

const migrateApply: Handler = (_, ctx) => ctx.work.migrations.apply();

export default migrateApply;
