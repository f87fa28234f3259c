import { words } from "#words/versions.ts";
import type { Page } from "../../parts/page.ts";

export const versionsPage: Page = {
  path: "/console/versions",
  title: words.title,
  menu: words.title,
  group: "versions",
  load: () => import("./versions-page.tsx"),
};
