/**
 * Weights of the signs that a message asks for a change. The score of a guess is the sum of its signs times these weights, and
 * that of "it asks for none of these" is 0. They were fitted to the messages of test/evaluation that may be looked at: `npm run fit:feedback`.
 */
const WEIGHTS = {
  // Kinds of changes: how likely each is before anything else is known.
  number: -0.01,
  choice: -0.19,
  boolean: -1.19,
  text: 0.11,
  addValue: -1.97,
  removeValue: -0.43,
  renameValue: 0.16,
  require: -0.41,
  relax: -0.76,
  removeField: -2.01,
  deprecate: 0.06,
  removeTool: -0.75,
  addField: 0.68,
  example: 0.54,
  elsewhere: 1.78,
  promote: 1.19,
  arm: 0.96,
  right: 1.14,
  draft: -1.45,
  // How the message names what would change.
  name: 1.1,
  rare: 1.66,
  exact: 0.86,
  owner: 0.4,
  tool: 0.89,
  soft: 0.37,
  rival: -1.42,
  // What of the change the message has.
  key: 1.59,
  longKey: 0.64,
  otherKey: -0.79,
  now: 1.94,
  unit: 0.97,
  noUnit: -0.95,
  letters: -0.72,
  up: 1.06,
  down: 0.06,
  against: -0.54,
  usual: -0.03,
  unset: -1.75,
  output: -1.49,
  unsure: -1.15,
  leap: -1.66,
  near: -0.05,
  last: -0.14,
  agent: -0.14,
  verb: 0.81,
  noVerb: -0.42,
  marked: 0.97,
  quoted: 0.67,
  siblings: 0.61,
  plain: -0.64,
  known: -0.17,
  close: 1.12,
  // What of the message the change leaves aside.
  leftNumber: -0.93,
  leftQuoted: -1.06,
  leftName: -1.86,
  leftKnown: -1.38,
  leftUnknown: -0.08,
  leftNegator: 0.2,
  leftNew: -1.06,
  leftTurn: -0.09,
  leftVerb: 0.24,
  // How the message speaks.
  asks: -1.8,
  hints: -1.37,
  forbids: -0.72,
  depends: -1.21,
  inquires: 0.05,
  others: -0.96,
} as const;

export type Sign = keyof typeof WEIGHTS;
export type Signs = Readonly<Partial<Record<Sign, number>>>;

export function scoreOf(signs: Signs): number {
  let score = 0;
  for (const [sign, value] of Object.entries(signs)) score += WEIGHTS[sign as Sign] * value;
  return score;
}
