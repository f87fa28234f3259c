import { words } from "#words/calls.ts";
import type { Page } from "../../parts/page.ts";

export const callsPage: Page = {
  path: "/console/calls",
  title: words.title,
  menu: words.title,
  group: "use",
  load: () => import("./calls-page.tsx"),
};

export const conversationPage: Page = {
  path: "/console/calls/:conversation",
  title: words.conversation,
  subject: ({ conversation }) => conversation,
  load: () => import("./conversation-page.tsx"),
};
