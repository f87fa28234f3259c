import { words } from "#words/approvals.ts";
import type { Page } from "../../parts/page.ts";

export const approvalsPage: Page = {
  path: "/console/approvals",
  title: words.title,
  menu: words.title,
  group: "change",
  load: () => import("./approvals-page.tsx"),
};
