import { queryOptions } from "@tanstack/react-query";
import type { ToolList } from "./answers.ts";
import { ask } from "./request.ts";

export type ToolDefinition = ToolList["tools"][number];

/** The tools of a version that the reader may use. */
export function toolList(version: string) {
  return queryOptions({
    queryKey: ["tools", version],
    queryFn: ({ signal }) => ask<ToolList>(`/agent/${encodeURIComponent(version)}/api/tools`, { signal }),
  });
}
