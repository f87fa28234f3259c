/** Phrases by which people name the keys of manifests, separated by commas, the first of them for display. */
export const KEY_WORDS = {
  default:
    "default, by default, asked otherwise, told otherwise, asks otherwise, says something else, say something else, asks for something else, not filled in, not given, nothing else is said, don't say, doesn't say, do not say, say otherwise, says otherwise, nothing is given, asks for it, ask for it, every time, right away, whenever, wenn nichts, si no se indica, si no se dice, sans indication, sinon, 不填, 未指定, say anything, says nothing, say nothing, said nothing, unless one picks, pick one, not specified, unspecified, omitted, nothing is said, as standard, if nothing is given, left out, usual, default value, standard, standard value, preset, initial, out of the box, fallback, left empty, left blank, assume, assumed, to begin with, ohne angabe, falls nichts, cuando no se dice, standardwert, standardmäßig, valor por defecto, por defecto, predeterminado, valeur par défaut, par défaut, défaut, 默认值, 默认",
  min: "minimum, min, kleinste wert, kleinster wert, smallest value, lowest value, lower bound, lower limit, least, at least, lowest, earliest allowed, earliest allowed value, earliest possible, lowest allowed, lowest allowed value, smallest allowed value, floor, smallest, no less than, not less than, bottom, mindestens, mindestwert, minimalwert, untergrenze, valor mínimo, límite inferior, valeur minimale, limite inférieure, plancher, mínimo, al menos, au moins, 最小值, 最小, 至少, 下限",
  max: "maximum, max, größte wert, größter wert, largest value, highest value, upper bound, upper limit, bound, most, at most, up to, highest, latest allowed, latest allowed value, latest possible, highest allowed, highest allowed value, largest allowed value, ceiling, cap, limit, largest, no more than, not more than, more than, as many as, top, maximal, höchstens, höchstwert, maximalwert, obergrenze, valor máximo, límite superior, valeur maximale, limite supérieure, plafond, bis zu, máximo, hasta, como máximo, au plus, jusqu'à, 最大值, 最大, 最多, 上限",
  step: "step, increment, granularity, step size, schrittweite, paso, pas, 步长",
  values: "values, value, option, options, choice, choices, possible values, allowed values, enum, support",
  description:
    "description, described as, is described, be described, are described, beschrieben als, descrito como, décrit comme, help text, doc, docs, docstring, documentation, explanation, beschreibung, descripción, 描述, 说明",
  title: "title, name, display name, heading, caption, titel, título, titre, 标题, 名称",
  instructions: "instructions, system prompt, guidance, anweisungen, instrucciones, consignes, 说明",
  time: "time limit, timeout, time out, time, run time, runtime, running time, execution time, seconds to answer, answer within, come within, respond within, be back within, take longer, times out, timing out, gives up, give up, dies after, die after, wait that long, zeitlimit, zeitüberschreitung, tiempo límite, tiempo de espera, límite de tiempo, délai, délai d'attente, temps limite, limite de temps, 超时时间, 超时, 时间限制",
  cpu: "cpu limit, cpu, cpu time, processor time, processor, compute, límite de cpu, limite cpu, cpu-limit, CPU限制",
  memory:
    "memory limit, memory, ram, heap, mem, speicher, speicherlimit, memoria, límite de memoria, mémoire, limite de mémoire, 内存限制, 内存",
  payload:
    "payload limit, payload, payload size, body size, request size, message size, input size, size limit, nutzlast, carga, charge utile, 负载",
  cost: "cost, price, costs, units, charge, cost units, charged, billed, worth, count as, counts as, weigh, weighs, kosten, kostet, preis, gebühr, costo, coste, costar, precio, cuesta, cueste, coût, prix, coûte, coûter, facturer, tarif, 收费, 计费, 费用, 成本, 价格",
  deterministic: "deterministic, determinism, deterministisch, determinista, déterministe",
  sideEffect:
    "side effect, side effects, side-effect, sideeffect, side-effects, has side effects, nebenwirkung, effets de bord, read only",
  idempotent:
    "idempotent, idempotence, idempotency, safe to retry, safe to repeat, safely retried, safely repeated, no harm, harmless, idempotente",
  tenantScoped: "tenant scoped, tenant-scoped, tenantscoped, per tenant",
  interactive: "interactive, interaktiv",
  record: "record, recorded, recording, keep inputs, replayable, aufzeichnen",
  minLength:
    "minimum length, min length, minlength, shortest, mindestens, al menos, como mínimo, au moins, 至少, 不少于, at least characters, minimum characters, at least, minimum, longer than, mindestlänge, longitud mínima, longueur minimale",
  maxLength:
    "maximum length, max length, maxlength, length limit, longest, höchstens, como máximo, au plus, 最长, 最多, 不超过, length, up to characters, at most, up to, maximum characters, maximum, no longer than, longer than, more than, shorter than, characters, chars, limit, character limit, höchstlänge, maximallänge, longitud máxima, longueur maximale",
  minItems:
    "minimum number, mindestens, al menos, au moins, 至少, min items, minitems, minimum items, at least, minimum, minimum count, fewest, min",
  maxItems:
    "maximum number, max items, maxitems, maximum items, up to, at most, maximum, max, limit, no more than, more than, maximum count, most, as many as, cap, items, entries, máximo de elementos, hasta, jusqu'à",
  minimum:
    "minimum, min, lower bound, lower limit, at least, least, smallest, floor, mindestens, mindestwert, minimalwert, untergrenze, valor mínimo, límite inferior, valeur minimale, limite inférieure, plancher, mínimo, al menos, au moins, 至少, 不少于",
  maximum:
    "maximum, max, upper bound, upper limit, bound, at most, up to, most, largest, limit, cap, ceiling, no more than, more than, höchstens, höchstwert, maximalwert, obergrenze, valor máximo, límite superior, valeur maximale, limite supérieure, plafond, máximo, como máximo, au plus, 最多, 不超过",
  pattern: "pattern, regex, regular expression, regexp, format pattern",
  required: "required, mandatory",
  rate: "rate limit, rate, calls per minute, requests per minute, per minute, a minute, throughput, ratelimit, throttle, rate-limit, limite de débit, 速率限制",
  concurrency:
    "concurrency, concurrent calls, parallel calls, at once, simultaneous calls, concurrent, in parallel, parallel, at the same time, simultaneously",
  dailyCost: "daily cost, daily budget, budget per day, cost per day, budget, per day, a day, daily",
  quietDays: "quiet days, retirement, retire, days without a call, retired, quiet",
  self: "self approval, approve own, self-approval, approve their own",
  merge: "merge, merged, lands without approval, auto merge, automerge",
  share:
    "exploration share, exploration, explore, traffic share, exploration rate, share of conversations, traffic, share, exploration traffic, conversations, take part, takes part, part of it, into the test, into the trial, in the test, in the trial, of everybody, teilnehmen, participar, exploración",
  floor: "exploration floor, floor, least probability, minimum share of each arm",
  delta: "stop delta, delta, confidence, stopping delta, significance",
  epsilon: "epsilon",
  minSamples:
    "minimum samples, min samples, minsamples, at least samples, samples per arm, samples, minimum number of samples, rewards per arm, observations, data points, per variant, per arm, each variant, dares to decide, decides, decide, decision, evidence, after samples, minimum, mindestproben",
  maxSamples: "maximum samples, max samples, maxsamples, at most samples, sample limit, maximum number of samples",
  promote:
    "promote automatically, automatic promotion, auto promotion, auto promote, autopromote, promotes itself, promotion, auto-promotion",
  maxErrorRate:
    "error rate, maximum error rate, max error rate, errors, maxerrorrate, goes wrong, go wrong, fails, failing, failures, guardrail error rate, error guardrail, fehlerrate, tasa de error, taux d'erreur",
  maxDrop: "maximum drop, max drop, reward drop, maxdrop, drop, drop in reward, worse, decline, falls by, fall by",
  deadline: "deadline, reward deadline, reward window, rewards accepted, late rewards",
  optimize: "optimize, optimise, optimization, direction",
  assignBy: "assign by, assigned by, assignment, assign, assigned",
  kind: "strategy, algorithm, method, bandit, strategie, estrategia, stratégie",
  sigma: "sigma, step size",
  evaluations: "evaluations, evaluation budget, search budget, number of evaluations",
  egress: "egress, outbound hosts, hosts, allowlist, whitelist, allowed hosts",
} as const;

export type KeyWord = keyof typeof KEY_WORDS;

/** Says that a tool has no side effects. */
const HARMLESS =
  /\b(?:free of|without|no|not have|zero|lacks?|ohne|sin|sans|keine)\b[^.!?]{0,20}\b(?:side[ -]?effects?|seiteneffekte|efectos|effets)\b|\bread[ -]?only\b|\bonly (?:reads?|looks?|shows?|lists?)\b|只读|没有副作用|无副作用/iu;

/** Tells whether a text says that a tool has no side effects, so that it is not to have any. */
export function saysHarmless(text: string): boolean {
  return HARMLESS.test(text);
}
