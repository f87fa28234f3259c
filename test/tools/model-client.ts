import type { Model, ModelReply } from "../../server/host-api.ts";
import { createModelSyscalls } from "../../server/capabilities/model/model.ts";
import { createRunningCall } from "../helpers/running-call.ts";

/** `ctx.model` as the service makes it, against an endpoint; `patience` is how long a call may take, in milliseconds. */
export function createModel(url: string, patience = 10_000): Model {
  const syscall = createModelSyscalls({ url, name: "stand-in" }, Date.now)["model.generate"];
  if (!syscall) throw new Error("there is no model.generate");
  return {
    available: true,
    async generate(request) {
      const deadline = Date.now() + patience;
      const call = createRunningCall({ tool: { name: "runner.chat", server: "runner" }, call: { deadline } });
      // What crosses to the host is JSON.
      return (await syscall.run(call, JSON.parse(JSON.stringify(request)))) as unknown as ModelReply;
    },
  };
}
