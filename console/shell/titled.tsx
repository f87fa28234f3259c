import { useEffect } from "react";
import { useParams, useSearchParams } from "wouter";
import type { Page } from "../parts/page.ts";
import { toPlain } from "../parts/visible.ts";

/** Names the window after the page, and after what it is about where its address says that. */
export function Titled({ title, subject }: Pick<Page, "title" | "subject">) {
  const parts = useParams();
  const [search] = useSearchParams();
  const about = subject?.({ ...Object.fromEntries(search), ...parts });
  const name = about === undefined ? title : `${toPlain(about)} - ${title}`;
  useEffect(() => {
    document.title = `${name} - Cairn`;
  }, [name]);
  return null;
}
