import type { Handler } from "../../server/host-api.ts";

const lineageExport: Handler<{ readonly path: string }> = async ({ path }, ctx) => ({
  path,
  ...(await ctx.lineage.export(path)),
});

export default lineageExport;
