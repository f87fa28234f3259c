import { words } from "#words/version.ts";
import type { Page } from "../../parts/page.ts";

export const versionPage: Page = {
  path: "/console/versions/:version",
  title: words.title,
  subject: ({ version }) => version,
  load: () => import("./version-page.tsx"),
};
