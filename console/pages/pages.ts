import type { Page } from "../parts/page.ts";
import { comparePage } from "./compare/page.ts";
import { tryPage } from "./try/page.ts";
import { versionPage } from "./version/page.ts";
import { versionsPage } from "./versions/page.ts";

/** Every page, in the order of the menu. The first whose path fits an address is shown there. */
export const PAGES: readonly Page[] = [versionsPage, versionPage, tryPage, comparePage];
