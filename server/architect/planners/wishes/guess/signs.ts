/**
 * Weights of the signs that a message asks for a change. The score of a guess is the sum of its signs times these weights, and
 * that of "it asks for none of these" is 0. They were fitted to the messages of test/evaluation that may be looked at: `npm run fit:feedback`.
 */
const WEIGHTS = {
  // Kinds of changes: how likely each is before anything else is known.
  number: -0.28,
  choice: -0.09,
  boolean: -0.95,
  text: -1.03,
  addValue: -1.6,
  removeValue: -0.22,
  renameValue: -0.07,
  require: 0.05,
  relax: -0.81,
  removeField: -2.03,
  deprecate: -0.49,
  removeTool: -0.96,
  addField: 0.65,
  example: 0.77,
  elsewhere: 1.49,
  promote: 1.75,
  arm: 0.93,
  right: 0.65,
  draft: -1.31,
  // How the message names what would change.
  name: 1.2,
  rare: 1.22,
  exact: 0.83,
  owner: 0.05,
  tool: 0.43,
  soft: 0.55,
  rival: -1.69,
  // What of the change the message has.
  key: 1.13,
  longKey: 0.51,
  otherKey: -0.49,
  now: 2.49,
  unit: 1.04,
  noUnit: -1.12,
  letters: -0.62,
  up: 0.65,
  down: 0.13,
  against: -0.63,
  usual: -0.12,
  unset: -2.08,
  output: -1.41,
  unsure: -1.36,
  leap: -1.81,
  near: 0.42,
  last: 0.46,
  agent: -0.18,
  verb: 0.79,
  noVerb: -0.45,
  marked: 0.72,
  quoted: 0.62,
  siblings: 0.49,
  plain: -1.1,
  known: -0.16,
  close: 1.06,
  // What of the message the change leaves aside.
  leftNumber: -0.81,
  leftQuoted: -1.56,
  leftName: -2.03,
  leftKnown: -1.6,
  leftUnknown: -0.13,
  leftNegator: 0.37,
  leftNew: -0.95,
  leftTurn: 0.06,
  leftVerb: -0.34,
  // How the message speaks.
  asks: -1.48,
  hints: -1.5,
  forbids: -0.26,
  depends: -0.91,
  inquires: -0.11,
  others: -1.03,
} as const;

export type Sign = keyof typeof WEIGHTS;
export type Signs = Readonly<Partial<Record<Sign, number>>>;

export function scoreOf(signs: Signs): number {
  let score = 0;
  for (const [sign, value] of Object.entries(signs)) score += WEIGHTS[sign as Sign] * value;
  return score;
}
