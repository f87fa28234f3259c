import { words } from "#words/feedback.ts";
import type { Page } from "../../parts/page.ts";

export const feedbackPage: Page = {
  path: "/console/feedback",
  title: words.title,
  menu: words.title,
  group: "change",
  scope: "architect",
  load: () => import("./feedback-page.tsx"),
};

export const feedbackProgressPage: Page = {
  path: "/console/feedback/:version/:id",
  title: words.progressTitle,
  subject: ({ id }) => id,
  load: () => import("./progress-page.tsx"),
};
