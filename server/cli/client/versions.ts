import { printableLines } from "../../text/printable.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { loadToken, TOKEN_OPTION } from "./service-token.ts";
import { askService, toServiceUrl, URL_OPTION } from "./service-url.ts";
import { formatTable } from "../table.ts";

interface Listing {
  readonly versions: readonly {
    readonly version: string;
    readonly commit_hash: string;
    readonly created_at: string;
    readonly tests: { readonly status: string };
    readonly tags: readonly string[];
  }[];
  readonly pagination: { readonly total_estimate: number };
}

const QUARANTINED =
  "Quarantined: /versions/<version>/changelog says why. Raise the number, or mend it and set the tag again: `cairn release --again`.";

/** `cairn versions`: what a running service serves. */
export const createVersionsCommand: CreateCommand = (context) =>
  createCommand({
    meta: { name: "versions", description: "List the versions that a running service serves" },
    args: {
      ...URL_OPTION,
      ...TOKEN_OPTION,
      all: { type: "boolean", description: "Also quarantined versions, pre-releases and pull requests" },
      limit: { type: "string", valueHint: "number", default: "50", description: "How many at most" },
      json: { type: "boolean", description: "Print the service's answer as it is" },
    },
    async run({ args }) {
      const { environment, out } = context;
      const token = await loadToken(context, args["token-file"]);
      const query = new URLSearchParams({ limit: args.limit, include_unstable: String(args.all ?? false) });
      const service = { url: toServiceUrl(args.url, environment), token };
      const listing = (await askService(service, `/versions?${query}`)) as Listing;
      if (args.json) {
        out(printableLines(JSON.stringify(listing, undefined, 2)));
        return EXIT.OK;
      }
      out(
        formatTable(
          ["VERSION", "COMMIT", "CREATED", "TAGS"],
          listing.versions.map(({ version, commit_hash, created_at, tags }) => [
            version,
            commit_hash.slice(0, 10),
            created_at,
            tags.join(", "),
          ]),
        ),
      );
      if (listing.versions.some(({ tags }) => tags.includes("quarantined"))) out(QUARANTINED);
      const hidden = listing.pagination.total_estimate - listing.versions.length;
      if (hidden > 0) out(`... and ${hidden} more; --limit shows them.`);
      return EXIT.OK;
    },
  });
