import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { callTool, type ToolCall } from "../../service/tool-calls.ts";
import { isObject } from "../../parts/schema.ts";

/** Reports of a tool before its answer. */
export interface Reports {
  readonly progress?: { readonly progress: number; readonly total?: number; readonly message?: string };
  readonly logs: readonly string[];
}

type Tool = Pick<ToolCall, "by" | "version" | "server" | "tool" | "schema">;
type Turn = Pick<ToolCall, "input" | "inputResponses" | "requestState">;

const NOTHING: Reports = { logs: [] };
const MAX_LOGS = 200;

/** Calls of one tool, one at a time, with what it reports and asks on the way. */
export function useCall(tool: Tool) {
  const [reports, setReports] = useState(NOTHING);
  const [isStopped, setStopped] = useState(false);
  const running = useRef<AbortController | undefined>(undefined);
  const { mutate, reset, data, error, isPending, variables } = useMutation({
    mutationFn(turn: Turn) {
      const controller = new AbortController();
      running.current = controller;
      return callTool({
        ...tool,
        ...turn,
        signal: controller.signal,
        onNotification: (method, params) => setReports((before) => withReport(before, method, params)),
      });
    },
    onMutate() {
      setReports(NOTHING);
      setStopped(false);
    },
  });
  const stop = () => {
    running.current?.abort();
    reset();
    setStopped(true);
  };
  return {
    call: mutate,
    stop,
    reports,
    result: isPending ? undefined : data,
    error,
    isPending,
    isStopped,
    input: variables?.input,
    answers: variables?.inputResponses ?? {},
  };
}

function withReport(before: Reports, method: string, params: Readonly<Record<string, unknown>>): Reports {
  if (method === "notifications/progress") {
    return { ...before, progress: params as unknown as NonNullable<Reports["progress"]> };
  }
  if (method !== "notifications/message") return before;
  const { level, data } = params;
  const text = isObject(data) ? JSON.stringify(data) : String(data);
  return { ...before, logs: [...before.logs, `${String(level)}: ${text}`].slice(-MAX_LOGS) };
}
