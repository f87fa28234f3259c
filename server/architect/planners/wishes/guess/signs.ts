/**
 * Weights of the signs that a message asks for a change. The score of a guess is the sum of its signs times these weights, and
 * that of "it asks for none of these" is 0. They were fitted to the messages of test/evaluation that may be looked at: `npm run fit:feedback`.
 */
const WEIGHTS = {
  // Kinds of changes: how likely each is before anything else is known.
  number: -0.51,
  choice: 0.19,
  boolean: -0.88,
  text: -0.83,
  addValue: -1.33,
  removeValue: -0.53,
  renameValue: -0.31,
  rename: -2.38,
  reset: -0.22,
  noKey: -0.46,
  require: 0.1,
  relax: -0.52,
  removeField: -1.78,
  deprecate: -0.52,
  removeTool: -0.89,
  addField: 1.06,
  example: 0.99,
  elsewhere: 1.79,
  promote: 1.85,
  arm: 1.11,
  stop: 0.6,
  right: 1.14,
  draft: -1.38,
  // How the message names what would change.
  name: 1.36,
  rare: 1.45,
  exact: 0.79,
  owner: -0.15,
  tool: 0.26,
  soft: 0.39,
  rival: -2.03,
  // What of the change the message has.
  key: 0.96,
  longKey: 0.27,
  otherKey: -0.4,
  now: 2.56,
  nowRare: 1,
  contrast: 0.8,
  inTime: 0.8,
  otherTime: -1.2,
  unlimited: 1.5,
  unit: 0.79,
  noUnit: -1.39,
  letters: -0.27,
  up: 0.28,
  down: 0.33,
  against: -0.79,
  usual: 0.07,
  unset: -2.18,
  output: -1.56,
  unsure: -1.28,
  leap: -2.3,
  near: 1.03,
  last: 0.76,
  agent: -0.32,
  verb: 0.44,
  noVerb: -0.54,
  marked: 0.48,
  quoted: -0.12,
  siblings: 0.94,
  plain: -0.97,
  known: -0.23,
  otherWords: -0.4,
  proper: 0.8,
  alike: 2,
  noMore: 1.2,
  everywhere: -0.6,
  spread: 0.9,
  close: 1.01,
  // Several wishes at once.
  several: -0.92,
  twin: -1.45,
  crossed: -0.65,
  // What of the message the change leaves aside.
  leftNumber: -0.88,
  leftQuoted: -1.49,
  leftName: -1.71,
  leftKnown: -1.43,
  leftUnknown: -0.22,
  leftNegator: 0.27,
  leftNew: -1.0,
  leftTurn: 0.06,
  leftVerb: -0.36,
  // What messages of such words want.
  intent: 0.4,
  noIntent: 0,
  idle: -1,
  // How the message speaks.
  asks: -1.07,
  hints: -1.39,
  forbids: -0.3,
  depends: -1.11,
  inquires: 0.51,
  others: -0.97,
} as const;

export type Sign = keyof typeof WEIGHTS;
export type Signs = Readonly<Partial<Record<Sign, number>>>;

export function scoreOf(signs: Signs): number {
  let score = 0;
  for (const [sign, value] of Object.entries(signs)) score += WEIGHTS[sign as Sign] * value;
  return score;
}
