/**
 * Weights of the signs that a message asks for a change. The score of a guess is the sum of its signs times these weights, and
 * that of "it asks for none of these" is 0. They were fitted to the messages of test/evaluation that may be looked at: `npm run fit:feedback`.
 */
const WEIGHTS = {
  // Kinds of changes: how likely each is before anything else is known.
  number: -1.03,
  choice: 0.32,
  boolean: -1.08,
  text: -1.79,
  addValue: -1.64,
  removeValue: -0.63,
  renameValue: -0.9,
  rename: -2.92,
  reset: -0.06,
  noKey: -0.47,
  require: -0.55,
  relax: -0.53,
  removeField: -2.99,
  deprecate: -1.23,
  removeTool: -1.3,
  addField: 0.72,
  example: 0.03,
  elsewhere: 2.93,
  promote: 3.12,
  arm: 1.14,
  right: -0.3,
  draft: -0.47,
  label: 0.56,
  supposed: 0.68,
  loose: -1.02,
  common: -1.47,
  removeRole: 1.39,
  removeArm: 0.89,
  redact: 1.01,
  mention: 0.67,
  apt: 0.62,
  ofField: -1.05,
  op: 0.98,
  best: -0.83,
  none: -0.38,
  // How the message names what would change.
  name: 2.29,
  rare: 1.22,
  exact: 0.23,
  owner: 0.44,
  tool: 0.29,
  soft: 0.84,
  rival: -1.81,
  // What of the change the message has.
  key: 0.81,
  longKey: 0.26,
  otherKey: -0.55,
  now: 2.65,
  unit: 0.88,
  noUnit: -0.43,
  letters: 0.62,
  up: -0.31,
  down: -0.92,
  against: -0.38,
  usual: 0.93,
  unset: -1.73,
  output: -1.44,
  unsure: -0.52,
  leap: -3.04,
  near: 0.37,
  last: 1.23,
  agent: 0.04,
  verb: 0.51,
  noVerb: -0.44,
  marked: 0.22,
  quoted: -0.42,
  siblings: 0.78,
  plain: -1.13,
  known: -0.26,
  close: 0.38,
  // Several wishes at once.
  several: -0.45,
  twin: -0.93,
  crossed: -0.58,
  // What of the message the change leaves aside.
  leftNumber: -1,
  leftQuoted: -1.59,
  leftName: -2.24,
  leftKnown: -1.31,
  leftUnknown: -0.34,
  leftNegator: 0.51,
  leftNew: -1.4,
  leftTurn: 0.14,
  leftVerb: -1.02,
  // How the message speaks.
  asks: 0.25,
  hints: -0.7,
  forbids: -0.04,
  depends: -1.3,
  inquires: 1.51,
  others: -0.18,
  tells: 0.66,
} as const;

export type Sign = keyof typeof WEIGHTS;
export type Signs = Readonly<Partial<Record<Sign, number>>>;

export function scoreOf(signs: Signs): number {
  let score = 0;
  for (const [sign, value] of Object.entries(signs)) score += WEIGHTS[sign as Sign] * value;
  return score;
}
