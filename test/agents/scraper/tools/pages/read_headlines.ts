import type { Handler } from "cairn-gitops/host-api";
import { parse } from "../_deps/node-html-parser.js";

const ORIGIN = "https://news.example.com";

interface Headline {
  readonly title: string;
  readonly url: string;
}

const readHeadlines: Handler<{ section: string }, { headlines: Headline[] }> = async ({ section }, ctx) => {
  const response = await ctx.fetch(`${ORIGIN}/${section}.html`);
  if (!response.ok) throw ctx.fail("NOT_FOUND", `There is no section \`${section}\`.`);
  const links = parse(response.text()).querySelectorAll("article h2 > a[href]");
  return {
    headlines: links.map((link) => ({
      title: link.text.trim(),
      url: new URL(link.getAttribute("href") ?? "", ORIGIN).href,
    })),
  };
};

export default readHeadlines;
