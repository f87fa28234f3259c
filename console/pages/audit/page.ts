import { words } from "#words/audit.ts";
import type { Page } from "../../parts/page.ts";

export const auditPage: Page = {
  path: "/console/audit",
  title: words.title,
  menu: words.title,
  group: "service",
  scope: "audit:read",
  load: () => import("./audit-page.tsx"),
};
