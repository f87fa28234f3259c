/**
 * Weights of the signs that a message asks for a change. The score of a guess is the sum of its signs times these weights, and
 * that of "it asks for none of these" is 0. They were fitted to the messages of test/evaluation that may be looked at: `npm run fit:feedback`.
 */
const WEIGHTS = {
  // Kinds of changes: how likely each is before anything else is known.
  number: -0.14,
  choice: -0.2,
  boolean: -0.83,
  text: -1.46,
  addValue: -0.72,
  removeValue: -0.99,
  renameValue: -0.32,
  rename: -2.21,
  reset: -0.37,
  noKey: -0.35,
  require: -0.4,
  relax: -1.88,
  removeField: -1.53,
  deprecate: -1.27,
  removeTool: -1.28,
  addField: 0.33,
  example: -0.46,
  newExample: 1.8,
  sample: 0.4,
  rough: -0.2,
  elsewhere: 2.12,
  promote: 1.61,
  arm: 1.35,
  right: 0.89,
  draft: -1.75,
  // How the message names what would change.
  name: 1.6,
  rare: 0.89,
  exact: 0.96,
  owner: -0.07,
  tool: 0.15,
  soft: 0.65,
  rival: -2.08,
  // What of the change the message has.
  key: 0.25,
  longKey: 0.22,
  otherKey: -0.75,
  now: 2.57,
  unit: 0.33,
  noUnit: -1.41,
  letters: -0.92,
  up: 0.46,
  down: -0.8,
  against: -0.34,
  usual: 0.93,
  unset: -1.71,
  output: -1.28,
  back: 1.2,
  dead: 0.8,
  unsure: -1.09,
  leap: -2.88,
  near: 0.27,
  last: 0.43,
  agent: -0.75,
  verb: 0.05,
  noVerb: -1.4,
  marked: 0.26,
  quoted: 0.33,
  loose: -0.3,
  siblings: 0.89,
  plain: -0.94,
  known: -0.35,
  close: 0.87,
  // Several wishes at once.
  several: -0.88,
  twin: -1.16,
  listed: 0.9,
  kin: 1.5,
  crossed: -0.3,
  // What of the message the change leaves aside.
  leftNumber: -0.83,
  leftQuoted: -1.65,
  leftName: -1.75,
  leftKnown: -1.14,
  leftUnknown: -0.38,
  leftNegator: 0.5,
  leftNew: -0.62,
  leftTurn: 0.15,
  leftVerb: -0.49,
  // What messages of such words want.
  intent: 0.35,
  noIntent: 0.06,
  idle: -1.94,
  // How the message speaks.
  asks: -0.95,
  hints: -0.7,
  forbids: 0.01,
  depends: -1.21,
  inquires: 0.02,
  others: -0.99,
} as const;

export type Sign = keyof typeof WEIGHTS;
export type Signs = Readonly<Partial<Record<Sign, number>>>;

export function scoreOf(signs: Signs): number {
  let score = 0;
  for (const [sign, value] of Object.entries(signs)) score += WEIGHTS[sign as Sign] * value;
  return score;
}
