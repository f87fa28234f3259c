import { words } from "#words/compare.ts";
import type { Page } from "../../parts/page.ts";

export const comparePage: Page = {
  path: "/console/compare",
  title: words.title,
  subject: ({ from, to }) => (from === undefined || to === undefined ? undefined : words.pair(from, to)),
  menu: words.title,
  group: "versions",
  load: () => import("./compare-page.tsx"),
};
