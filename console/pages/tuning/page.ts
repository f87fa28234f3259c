import { words } from "#words/tuning.ts";
import type { Page } from "../../parts/page.ts";

const load = () => import("./tuning-page.tsx");

/** The tuning of the newest version that is stable. */
export const tuningPage: Page = { path: "/console/tuning", title: words.title, menu: words.title, group: "use", load };

export const tuningVersionPage: Page = {
  path: "/console/tuning/:version",
  title: words.title,
  subject: ({ version }) => version,
  load,
};
