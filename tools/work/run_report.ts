import type { Handler } from "../../server/host-api.ts";
import { loadRunPage } from "../_lib/work/run-page.ts";
import { writeRunPage } from "../_lib/work/write-run-page.ts";

const runReport: Handler<{ readonly run_id: string }> = async ({ run_id }, ctx) => {
  const page = await loadRunPage(ctx, run_id);
  return { ...page, markdown: writeRunPage(page) };
};

export default runReport;
