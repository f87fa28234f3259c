import type { Schema } from "./convert-schema.ts";
import { nodeOf, type Node, type OpenApiDocument } from "./document.ts";
import type { Operation } from "./list-operations.ts";
import type { Field } from "./plan-input.ts";

/** Way to the next page: `next` of the output is passed as the member `parameter` of the input. */
export interface Pagination {
  readonly parameter: Field;
  readonly isNumber: boolean;
  /** Schema of `next`. */
  readonly schema: Schema;
  readonly from: PageSource;
}

/** Place that says where the next page begins. */
export type PageSource =
  /** The header `Link`, with an address as `rel="next"`. */
  | { readonly kind: "link" }
  /** A member of the answer, by its path: the cursor itself, or an address that holds it. */
  | { readonly kind: "cursor" | "address"; readonly path: readonly string[] }
  /** The id of the last item, while `has_more` is true. */
  | { readonly kind: "last"; readonly list: string }
  /** The number of the page, or of items before it, and the count of items in this one. */
  | {
      readonly kind: "count";
      readonly list: string | undefined;
      readonly size: string;
      readonly step: "page" | "items";
    };

const CURSORS =
  /^(?:cursor|page_?cursor|page_?token|next_?token|next_?page_?token|continuation_?token|starting_after|start_cursor|after|page_after|marker|next_marker|continue|start_key|startKey|offset_token|page)$/i;
const PAGES = /^(?:page|page_?number|page_?num|page_?no|p)$/i;
const OFFSETS = /^(?:offset|skip|start|start_?at|start_?index)$/i;
const SIZES = /^(?:per_?page|page_?size|limit|size|count|max_?results|top)$/i;
const NEXT =
  /^(?:next|next_?cursor|end_?cursor|next_?page_?token|next_?token|next_?marker|next_?page|continue|continuation_?token|after)$/i;
const PARENTS = [
  "",
  "meta",
  "metadata",
  "pagination",
  "paging",
  "page_info",
  "pageInfo",
  "links",
  "links.pages",
  "_links",
  "response_metadata",
  "cursors",
];

interface Searched {
  readonly converted: Schema;
  readonly fields: readonly Field[];
  readonly operation: Operation;
  readonly response: Node;
  readonly document: OpenApiDocument;
}

/** Finds how an operation goes from page to page; undefined where it answers with all at once. */
export function findPagination({ converted, fields, operation, response, document }: Searched): Pagination | undefined {
  if (operation.method !== "GET") return undefined;
  const query = fields.filter(({ place }) => place === "query");
  const [cursor, page, offset] = [CURSORS, PAGES, OFFSETS].map((names) =>
    query.find(({ wire }) => names.test(lastPart(wire))),
  );
  const parameter = cursor ?? page ?? offset;
  if (parameter === undefined) return undefined;
  const isNumber = isNumeric(operation, parameter, document);
  const toPagination = (from: PageSource, by: Field = parameter): Pagination => ({
    parameter: by,
    isNumber: by === parameter ? isNumber : isNumeric(operation, by, document),
    schema: {
      type: (by === parameter ? isNumber : isNumeric(operation, by, document)) ? "integer" : "string",
      description: `Pass it as \`${by.name}\` to get what follows; absent at the end.`,
    },
    from,
  });
  if (Object.keys(nodeOf(response["headers"])).some((name) => name.toLowerCase() === "link"))
    return toPagination({ kind: "link" });
  const inBody = findInBody(converted, isNumber);
  if (inBody !== undefined) return toPagination(inBody);
  const list = findList(converted);
  const properties = nodeOf(converted["properties"]);
  if (list !== undefined && "has_more" in properties && cursor?.wire === "starting_after") {
    return toPagination({ kind: "last", list });
  }
  const size = query.find(({ wire }) => SIZES.test(lastPart(wire)));
  const numbered = page ?? offset;
  if (numbered === undefined || size === undefined || (converted["type"] !== "array" && list === undefined))
    return undefined;
  if (!isNumeric(operation, numbered, document)) return undefined;
  return toPagination({ kind: "count", list, size: size.name, step: page === undefined ? "items" : "page" }, numbered);
}

/** `page[size]` has the last part `size`, `$top` has `top`. */
function lastPart(wire: string): string {
  return /\[(\w+)\]$/.exec(wire)?.[1] ?? wire.replace(/^\$/, "");
}

function isNumeric({ parameters }: Operation, { wire }: Field, { resolve }: OpenApiDocument): boolean {
  const parameter = parameters.find((one) => one["in"] === "query" && one["name"] === wire);
  const types = new Set([resolve(parameter?.["schema"])?.["type"]].flat());
  return types.has("integer") || types.has("number");
}

function findInBody(schema: Schema, isNumber: boolean): PageSource | undefined {
  for (const parent of PARENTS) {
    const steps = parent === "" ? [] : parent.split(".");
    const at = steps.reduce((node: Node, step) => nodeOf(nodeOf(node["properties"])[step]), schema);
    for (const [name, value] of Object.entries(nodeOf(at["properties"]))) {
      if (!NEXT.test(name)) continue;
      const node = nodeOf(value);
      const path = [...steps, name];
      const types = new Set([node["type"]].flat());
      const isAddress = /^next$/i.test(name) && /ur[il]|link|address|href/i.test(String(node["description"] ?? "url"));
      if (types.has("string")) return { kind: isAddress ? "address" : "cursor", path };
      if (isNumber && types.has("integer")) return { kind: "cursor", path };
      if (types.has("object") && "href" in nodeOf(node["properties"]))
        return { kind: "address", path: [...path, "href"] };
    }
  }
  return undefined;
}

/** Finds the one list among the members of an object. */
function findList(schema: Schema): string | undefined {
  const lists = Object.entries(nodeOf(schema["properties"])).filter(([, value]) => nodeOf(value)["type"] === "array");
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}
