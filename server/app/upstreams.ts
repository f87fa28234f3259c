import type { CapabilityOptions } from "../capabilities/open-capabilities.ts";
import type { Sandbox } from "../capabilities/workspace/sandbox/probe-sandbox.ts";
import type { Log } from "../log/log.ts";
import type { Registry } from "../versions/registry/registry-types.ts";

type UpstreamOptions = Required<Pick<CapabilityOptions, "commands" | "policiesOf" | "onDrift" | "onComplaint">>;

/**
 * Puts together what upstreams need of this service. Their commands must be allowed by the policies of the default branch;
 * the uncommitted work tree has only its own: whoever edits it can start programs anyway.
 */
export function toUpstreamOptions(
  registry: Pick<Registry, "status" | "ceiling">,
  commands: Sandbox,
  log: Log,
): UpstreamOptions {
  return {
    commands,
    policiesOf: async ({ commit, policies }) =>
      registry.status().dev?.commit === commit ? policies : (await registry.ceiling()).policies,
    onComplaint: (upstream, complaint) => log.warn({ upstream, complaint }, "the command of an upstream has ended"),
    onDrift({ drifts, ...about }) {
      if (drifts.length === 0) log.info(about, "the upstream is again what the version was made with");
      else log.error({ ...about, drifts }, "the upstream has drifted from what the version was made with");
    },
  };
}
