import { words } from "#words/settings.ts";
import type { Page } from "../../parts/page.ts";

export const settingsPage: Page = {
  path: "/console/settings",
  title: words.title,
  menu: words.title,
  group: "service",
  load: () => import("./settings-page.tsx"),
};
