import type { QueryClient } from "@tanstack/react-query";
import { lazy, type LazyExoticComponent } from "react";
import { PAGES } from "../pages/pages.ts";
import type { Page } from "../parts/page.ts";
import { loadCode } from "../service/load-code.ts";

/** Each page with the component that loads its code when it is first shown. */
export type Routes = readonly (readonly [Page, LazyExoticComponent<Awaited<ReturnType<Page["load"]>>["default"]>])[];

export function createRoutes(client: QueryClient): Routes {
  return PAGES.map((page) => [page, lazy(() => loadCode(client, page.load))] as const);
}
