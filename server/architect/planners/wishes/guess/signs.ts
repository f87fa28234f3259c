/**
 * Weights of the signs that a message asks for a change. The score of a guess is the sum of its signs times these weights, and
 * that of "it asks for none of these" is 0. They were fitted to the messages of test/evaluation that may be looked at: `npm run fit:feedback`.
 */
const WEIGHTS = {
  // Kinds of changes: how likely each is before anything else is known.
  number: -1,
  choice: -0.11,
  boolean: -0.8,
  text: -2.82,
  addValue: -1.61,
  removeValue: -1.72,
  renameValue: -2.53,
  rename: -1.82,
  reset: -1.47,
  noKey: -1.68,
  require: -0.69,
  relax: -1.84,
  removeField: -2.03,
  deprecate: -2.34,
  removeTool: -1.6,
  addField: -1.89,
  defined: 2.35,
  example: -2.15,
  holds: 0.25,
  newExample: -1.41,
  sample: 0.45,
  rough: -1.19,
  elsewhere: 1.7,
  promote: -0.29,
  arm: 1.92,
  stop: -1.36,
  right: -0.7,
  draft: -1.45,
  // How the message names what would change.
  name: 1.7,
  rare: 0.92,
  exact: 1.16,
  owner: 0.67,
  tool: -0.35,
  soft: 0.24,
  rival: -3.11,
  // What of the change the message has.
  key: 0.47,
  longKey: 0.7,
  otherKey: -0.36,
  now: 1.52,
  nowRare: 2.12,
  contrast: 0.79,
  inTime: 2.17,
  otherTime: -0.67,
  unlimited: 1.31,
  unit: 0.97,
  noUnit: -2.04,
  letters: -0.27,
  up: 0.61,
  down: -0.75,
  against: -0.39,
  usual: 1.55,
  unset: -2.32,
  output: -2.54,
  back: 2.11,
  dead: 2.46,
  unsure: -2.08,
  leap: -3.96,
  near: 0.51,
  last: 0.88,
  agent: 0.72,
  verb: 0.33,
  noVerb: -1.58,
  marked: 0.42,
  quoted: 0.9,
  loose: 0.14,
  siblings: 1.23,
  plain: -0.43,
  known: 0.36,
  otherWords: -1.32,
  proper: -0.57,
  alike: 1.25,
  noMore: 0.41,
  everywhere: -0.33,
  spread: 0.48,
  close: 1.01,
  // Several wishes at once.
  several: -0.59,
  twin: -1.97,
  listed: 0.6,
  kin: 1.75,
  crossed: -0.46,
  // What of the message the change leaves aside.
  leftNumber: -1.86,
  leftQuoted: -2.85,
  leftName: -2.77,
  leftKnown: -0.92,
  leftUnknown: -0.08,
  leftNegator: 0.31,
  leftNew: -1.3,
  leftTurn: -0.65,
  leftLimit: -0.22,
  leftCondition: -0.26,
  leftQuantity: -0.45,
  leftWish: -1.43,
  leftVerb: -0.14,
  // What messages of such words want.
  intent: 0.38,
  noIntent: 0.11,
  idle: -2.49,
  // How the message speaks.
  asks: -0.67,
  hints: -0.6,
  forbids: -0.29,
  depends: -1.23,
  inquires: -1.11,
  others: -0.88,
} as const;

export type Sign = keyof typeof WEIGHTS;

/** All signs, in the order of their weights. */
export const SIGNS = Object.keys(WEIGHTS) as readonly Sign[];

export type Signs = Readonly<Partial<Record<Sign, number>>>;

export function scoreOf(signs: Signs): number {
  let score = 0;
  for (const [sign, value] of Object.entries(signs)) score += WEIGHTS[sign as Sign] * value;
  return score;
}
