import { loadReferencedSecret } from "../../config/secret-reference.ts";
import { type DoctorContext, fail, type Finding, ok, toReason, warn } from "./finding.ts";

const ANSWER_MS = 10_000;
/** Milliseconds that clocks may differ; GitHub refuses an app, and issuers' tokens seem too old or too new, beyond a minute. */
const SKEW_WARN_MS = 30_000;
const SKEW_FAIL_MS = 60_000;

/** Checks the services that the configuration names, and this machine's clock against theirs. */
export async function checkServices(context: DoctorContext): Promise<readonly Finding[]> {
  const { model, auth } = context.config;
  const asked = await Promise.all([model && checkModel(model), auth.oauth && checkIssuer(auth.oauth)]);
  return asked.filter((finding) => finding !== undefined);
}

/** Compares the clock with the `Date` of a service's answer. */
export async function checkClock({ config, now }: DoctorContext): Promise<Finding> {
  const { repository = "", auth, model } = config;
  const urls = [/^https?:/i.test(repository) ? repository : undefined, auth.oauth?.issuer, model?.url];
  for (const url of urls.filter((one) => one !== undefined)) {
    const response = await ask(new URL(url).origin, {}).catch(() => undefined);
    const date = Date.parse(response?.headers.get("date") ?? "");
    if (Number.isNaN(date)) continue;
    // `Date` has whole seconds.
    const skew = Math.max(0, Math.abs(now() - date) - 1000);
    const shown = `This machine's clock and that of \`${new URL(url).host}\` differ by ${Math.round(skew / 1000)} s.`;
    const advice = "Keep the clock by NTP: `timedatectl set-ntp true`.";
    if (skew > SKEW_FAIL_MS) return fail("machine.clock", shown, advice);
    return skew > SKEW_WARN_MS ? warn("machine.clock", shown, advice) : ok("machine.clock", shown);
  }
  return ok("machine.clock", `It is ${new Date(now()).toISOString()}; no service answers to compare with.`);
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
    const responses = await Promise.all(urls.map((url) => ask(url, {})));
    if (responses.some(({ status }) => status === 200)) return ok(check, `The issuer \`${issuer}\` answers.`);
    const advice = "Correct CAIRN_OAUTH_ISSUER, or say where its keys are: CAIRN_OAUTH_JWKS_URI.";
    return fail(check, `The issuer answers ${responses.map(({ status }) => status).join(", ")}.`, advice);
  } catch (error) {
    const advice = "Correct CAIRN_OAUTH_ISSUER. Until it answers, tokens of the issuer are refused.";
    return fail(check, `The issuer \`${issuer}\` does not answer: ${toReason(error)}.`, advice);
  }
}

function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
}
