import type { Page } from "../parts/page.ts";
import { approvalsPage } from "./approvals/page.ts";
import { auditPage } from "./audit/page.ts";
import { callsPage, conversationPage } from "./calls/page.ts";
import { comparePage } from "./compare/page.ts";
import { feedbackPage, feedbackProgressPage } from "./feedback/page.ts";
import { settingsPage } from "./settings/page.ts";
import { tryPage } from "./try/page.ts";
import { tuningPage, tuningVersionPage } from "./tuning/page.ts";
import { versionPage } from "./version/page.ts";
import { versionsPage } from "./versions/page.ts";
import { runPage, taskPage, workPage } from "./work/page.ts";

/** Every page, in the order of the menu. The first whose path fits an address is shown there. */
export const PAGES: readonly Page[] = [
  versionsPage,
  versionPage,
  tryPage,
  comparePage,
  feedbackProgressPage,
  feedbackPage,
  approvalsPage,
  taskPage,
  runPage,
  workPage,
  conversationPage,
  callsPage,
  tuningVersionPage,
  tuningPage,
  auditPage,
  settingsPage,
];
