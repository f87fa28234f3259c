import { CLOCK_SKEW } from "../../auth/verified.ts";
import { loadReferencedSecret } from "../../config/secret-reference.ts";
import { type DoctorContext, fail, type Finding, ok, toReason, warn } from "./finding.ts";

const ANSWER_MS = 10_000;
/** Milliseconds of difference beyond which GitHub refuses what an app signs. */
const REFUSED_MS = 60_000;

/** Checks the services that the configuration names, and this machine's clock against theirs. */
export async function checkServices(context: DoctorContext): Promise<readonly Finding[]> {
  const { model, auth } = context.config;
  const asked = await Promise.all([model && checkModel(model), auth.oauth && checkIssuer(auth.oauth)]);
  return asked.filter((finding) => finding !== undefined);
}

/** Compares the clock with the `Date` of a service's answer: of the repository's host, of the issuer, or of the model. */
export async function checkClock({ config, now }: DoctorContext): Promise<Finding> {
  const { repository, auth, model } = config;
  const origins = [toWebHost(repository), auth.oauth?.issuer, model?.url].filter((one) => one !== undefined);
  for (const url of origins) {
    const begun = now();
    const response = await ask(new URL(url).origin, {}).catch(() => undefined);
    const ended = now();
    void response?.body?.cancel();
    const date = Date.parse(response?.headers.get("date") ?? "");
    if (Number.isNaN(date)) continue;
    // It was that second when the service answered, at some moment in between.
    const skew = Math.max(begun - (date + 1000), date - ended, 0);
    const shown = `This machine's clock and that of \`${new URL(url).host}\` differ by ${Math.round(skew / 1000)} s`;
    const advice = "Keep the clock by NTP: `timedatectl set-ntp true`.";
    if (skew > REFUSED_MS) return fail("machine.clock", `${shown}: tokens are refused.`, advice);
    if (skew > CLOCK_SKEW) return warn("machine.clock", `${shown}: new tokens may be refused.`, advice);
    return ok("machine.clock", `${shown}.`);
  }
  return ok("machine.clock", `It is ${new Date(now()).toISOString()}; no service answers to compare with.`);
}

/** Finds the address of a repository's host in the web; hosts that are reached by ssh mostly have one. */
function toWebHost(repository = ""): string | undefined {
  if (/^https?:/i.test(repository)) return repository;
  const host = /^ssh:/i.test(repository) ? URL.parse(repository)?.hostname : /^[^/@:]+@([^/:]+):/.exec(repository)?.[1];
  return host && URL.canParse(`https://${host}`) ? `https://${host}` : undefined;
}

async function checkModel({ url, name, key }: NonNullable<DoctorContext["config"]["model"]>): Promise<Finding> {
  const check = "model.endpoint";
  try {
    const loaded = key === undefined ? undefined : await loadReferencedSecret("CAIRN_MODEL_KEY", key);
    const headers = loaded === undefined ? {} : { authorization: `Bearer ${loaded}` };
    const response = await ask(`${url.replace(/\/$/, "")}/models`, headers);
    const { status } = response;
    if (status === 401 || status === 403) {
      return fail(check, `The model's endpoint refuses the key (${status}).`, "Renew CAIRN_MODEL_KEY.");
    }
    if (status !== 200) {
      const advice = "Correct CAIRN_MODEL_URL: it ends with `/v1` for most servers. Some list no models and work.";
      return warn(check, `The model's endpoint answers ${status} when asked for its models.`, advice);
    }
    const body = (await response.json()) as { data?: readonly { id?: unknown }[] };
    const names = Array.isArray(body.data) ? body.data.map(({ id }) => String(id)) : [];
    if (names.length === 0 || names.includes(name))
      return ok(check, `The model's endpoint answers; model \`${name}\`.`);
    const advice = `Set CAIRN_MODEL_NAME to one of: ${names.slice(0, 8).join(", ")}.`;
    return fail(check, `The model's endpoint has no model \`${name}\`.`, advice);
  } catch (error) {
    const advice =
      "Correct CAIRN_MODEL_URL, or start the endpoint. Without it, only sentences that need no model are understood.";
    return fail(check, `The model's endpoint does not answer: ${toReason(error)}.`, advice);
  }
}

async function checkIssuer({
  issuer,
  jwksUri,
}: NonNullable<DoctorContext["config"]["auth"]["oauth"]>): Promise<Finding> {
  const check = "auth.issuer";
  const base = issuer.replace(/\/$/, "");
  const { origin, pathname } = new URL(base);
  const path = pathname === "/" ? "" : pathname;
  const urls =
    jwksUri === undefined
      ? [`${base}/.well-known/openid-configuration`, `${origin}/.well-known/oauth-authorization-server${path}`]
      : [jwksUri];
  try {
    const answers = await Promise.all(urls.map(loadJson));
    const known = answers.map(({ body }) => body).find((body) => body !== undefined);
    if (known === undefined) {
      const advice = "Correct CAIRN_OAUTH_ISSUER, or say where its keys are: CAIRN_OAUTH_JWKS_URI.";
      const statuses = answers.map(({ status }) => status).join(", ");
      return fail(check, `The issuer answers ${statuses}, and with no metadata in JSON.`, advice);
    }
    if (jwksUri === undefined && known["issuer"] !== issuer) {
      const advice = "Set CAIRN_OAUTH_ISSUER exactly as the issuer names itself, which its tokens repeat.";
      return fail(check, `The issuer \`${issuer}\` names itself \`${String(known["issuer"])}\`.`, advice);
    }
    const keysAt = jwksUri ?? String(known["jwks_uri"]);
    const keys = jwksUri === undefined ? (await loadJson(keysAt)).body?.["keys"] : known["keys"];
    if (Array.isArray(keys) && keys.length > 0) return ok(check, `The issuer \`${issuer}\` answers, and has keys.`);
    const advice = "Say where the issuer's keys are: CAIRN_OAUTH_JWKS_URI. Without them its tokens are refused.";
    return fail(check, `There are no keys of the issuer at \`${keysAt}\`.`, advice);
  } catch (error) {
    const advice = "Correct CAIRN_OAUTH_ISSUER. Until it answers, tokens of the issuer are refused.";
    return fail(check, `The issuer \`${issuer}\` does not answer: ${toReason(error)}.`, advice);
  }
}

/** Loads an object in JSON; without a body where something else comes, or another status than 200. */
async function loadJson(url: string): Promise<{ readonly status: number; readonly body?: Record<string, unknown> }> {
  const response = await ask(url, {});
  const body: unknown = response.status === 200 ? await response.json().catch(() => undefined) : undefined;
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return { status: response.status, ...(isObject ? { body: body as Record<string, unknown> } : {}) };
}

function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
}
