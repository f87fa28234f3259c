import type { ComponentType } from "react";

/** Groups of the menu, in their order. */
export const GROUPS = ["versions", "use", "change", "service"] as const;

/** A page of the console: its folder in `pages/` exports one, and `pages/pages.ts` lists it. */
export interface Page {
  /** Its address, with `:name` for parts that the page reads with `useParams`. Each place has one that can be sent. */
  readonly path: `/console/${string}`;
  /** Title of the window. */
  readonly title: string;
  /** Subject of the page, of the parts and the query of its address, for the title; undefined: the address names nothing. */
  readonly subject?: ((address: Readonly<Record<string, string | undefined>>) => string | undefined) | undefined;
  /** Name in the menu; absent: the page is reached from others. */
  readonly menu?: string;
  /** Group of the menu that it stands in. */
  readonly group?: (typeof GROUPS)[number];
  /** Scope without which it shows nothing, so that the menu leaves it out. */
  readonly scope?: string;
  /** Loads the page when it is first opened, so that the first view stays small. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}
