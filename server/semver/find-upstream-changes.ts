import { canonicalJson } from "../json/canonical-json.ts";
import type { UpstreamSecret } from "../versions/secret.ts";
import type { Upstream } from "../versions/upstream.ts";
import type { Version } from "../versions/version.ts";
import { createFinding, type Finding, placeIn } from "./finding.ts";

/**
 * Finds upstreams that are new, gone, elsewhere, or whose tools were imported anew, of which callers see nothing, and the
 * secrets that calls need because of them.
 */
export function findUpstreamChanges(before: Version, after: Version): readonly Finding[] {
  const names = new Set([...before.upstreams.keys(), ...after.upstreams.keys()]);
  const changed = [...names].flatMap((name) => {
    const [was, is] = [before.upstreams.get(name), after.upstreams.get(name)];
    const secrets = is === undefined ? [] : [...findSecretChanges(was, is)];
    const how = explainUpstream(was, is);
    if (how === undefined) return secrets;
    const place = is === undefined ? placeIn("before", was?.file ?? "", "name") : placeIn("after", is.file, "name");
    const message = `The upstream \`${name}\` ${how}.`;
    return [createFinding("upstream-changed", message, place, { of: `upstream ${name}` }), ...secrets];
  });
  return [...changed, ...findNewNeeds(before, after)];
}

function explainUpstream(was: Upstream | undefined, is: Upstream | undefined): string | undefined {
  if (is === undefined) return "is not there any more";
  if (was === undefined) return "is new";
  const differs = (read: (upstream: Upstream) => unknown) => canonicalJson(read(was)) !== canonicalJson(read(is));
  if (differs(({ reach }) => ({ ...reach }))) return "is reached in another way";
  const digests = ({ tools }: Upstream) => Object.fromEntries([...tools].map(([name, { digest }]) => [name, digest]));
  if (differs(digests)) return "has tools that were imported anew";
  const carried = ({ secrets }: Upstream) => secrets.map(({ name, header, format }) => [name, header, format]).sort();
  if (differs(carried)) return "is sent other headers";
  const rest = ({ protocol, servesReworded, limits }: Upstream) => ({
    protocol,
    servesReworded,
    limits: { ...limits },
  });
  return differs(rest) ? "has other limits, or another revision" : undefined;
}

/** Finds what an upstream gets of secrets. Of a new one each is new: its owner has to set it, and a host gets it. */
function* findSecretChanges(was: Upstream | undefined, is: Upstream): Generator<Finding> {
  const { secrets: known = [] } = was ?? {};
  const [from, to] = [was === undefined ? undefined : toHost(was), toHost(is)];
  for (const [index, secret] of is.secrets.entries()) {
    const { name, of } = secret;
    const old = known.find((one) => one.name === name);
    const place = placeIn("after", is.file, "secrets", index);
    const about = { of: `upstream ${is.name}`, member: name };
    if (old === undefined) {
      yield createFinding("secret-added", `Calls of tools of the ${need(is, secret)}.`, place, about);
      continue;
    }
    if (old.of !== of) {
      const message = `The secret \`${name}\` of the upstream \`${is.name}\` is the ${of}'s, and was the ${old.of}'s.`;
      yield createFinding("secret-owner-changed", message, place, about);
    }
    if (from !== to) {
      const message = `\`${to}\` gets the secret \`${name}\` of the upstream \`${is.name}\`.`;
      yield createFinding("secret-host-added", message, place, { ...about, member: `${name} ${to}` });
    }
  }
  for (const { name } of known.filter((old) => !is.secrets.some((secret) => secret.name === old.name))) {
    const message = `The upstream \`${is.name}\` has no secret \`${name}\` any more.`;
    const place = placeIn("before", was?.file ?? "", "secrets");
    yield createFinding("secret-removed", message, place, { of: `upstream ${is.name}`, member: name });
  }
}

/** Finds tools that call an upstream with secrets now, and did not. */
function findNewNeeds(before: Version, after: Version): readonly Finding[] {
  return [...after.tools.values()].flatMap(({ name, server, file, upstreams }) => {
    const was = before.tools.get(name);
    if (was === undefined) return [];
    return upstreams.flatMap((one, index) => {
      const upstream = was.upstreams.includes(one) ? undefined : after.upstreams.get(one);
      return (upstream?.secrets ?? []).map((secret) => {
        const message = `Calls of \`${name}\`, as those of the upstream \`${one}\`, need the secret \`${secret.name}\` of the ${secret.of}.`;
        const about = { server, tool: name, member: `${one} ${secret.name}` };
        return createFinding("secret-added", message, placeIn("after", file, "upstreams", index), about);
      });
    });
  });
}

function need({ name: upstream }: Upstream, { name, of }: UpstreamSecret): string {
  return `upstream \`${upstream}\` need the secret \`${name}\` of the ${of}`;
}

function toHost({ reach }: Upstream): string {
  return reach.kind === "url" ? new URL(reach.url).host : "";
}
