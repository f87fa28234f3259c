import { words } from "#words/work.ts";
import type { Page } from "../../parts/page.ts";

export const workPage: Page = {
  path: "/console/work",
  title: words.title,
  menu: words.title,
  group: "change",
  load: () => import("./work-page.tsx"),
};

export const taskPage: Page = {
  path: "/console/work/tasks/:task",
  title: words.task,
  subject: ({ task }) => task,
  load: () => import("./task-page.tsx"),
};

export const runPage: Page = {
  path: "/console/work/runs/:run",
  title: words.run,
  subject: ({ run }) => run,
  load: () => import("./run-page.tsx"),
};
