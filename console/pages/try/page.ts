import { words } from "#words/try.ts";
import type { Page } from "../../parts/page.ts";

export const tryPage: Page = {
  path: "/console/try/:version/:server/:tool",
  title: words.title,
  subject: ({ tool }) => tool,
  load: () => import("./try-page.tsx"),
};
