/** What one plan may cost, and how much of anything goes to the model or comes from it. */
export interface ModelLimits {
  /** Answers of the model. */
  readonly turns: number;
  /** Input and output of all turns together. */
  readonly tokens: number;
  readonly outputTokensPerTurn: number;
  /** Tokens of input, plus those of output times `outputWeight`: what price lists have in common. */
  readonly cost: number;
  readonly outputWeight: number;
  /** Milliseconds for the whole plan. */
  readonly wallMs: number;
  /** Milliseconds for one answer. */
  readonly turnMs: number;
  /** How often one turn is tried again where the endpoint is busy, and milliseconds that it may ask to wait. */
  readonly retries: number;
  readonly retryWaitMs: number;
  /** Bytes of one answer. */
  readonly answerBytes: number;
  /** Rounds in which the model may put a faulty draft right, before the plan is given up. */
  readonly repairs: number;
  readonly callsPerTurn: number;
  /** Tokens, by an estimate, of all that the model is sent first: instructions, tools, message, and pieces of the repository. */
  readonly promptTokens: number;
  /** Tokens of the sender's own words in it, and of each text that they show. */
  readonly messageTokens: number;
  readonly attachments: number;
  readonly readCharacters: number;
  readonly searchHits: number;
  readonly listedFiles: number;
  /** Files, and characters of all of them, that a search looks through. */
  readonly searchedFiles: number;
  readonly searchedCharacters: number;
  readonly planFiles: number;
  readonly planFileCharacters: number;
  readonly planCharacters: number;
}

export const MODEL_LIMITS: ModelLimits = Object.freeze({
  turns: 16,
  tokens: 300_000,
  outputTokensPerTurn: 16_000,
  cost: 500_000,
  outputWeight: 4,
  wallMs: 300_000,
  turnMs: 120_000,
  retries: 2,
  retryWaitMs: 20_000,
  answerBytes: 1024 * 1024,
  repairs: 4,
  callsPerTurn: 8,
  promptTokens: 12_000,
  messageTokens: 4000,
  attachments: 10,
  readCharacters: 16_000,
  searchHits: 8,
  listedFiles: 300,
  searchedFiles: 3000,
  searchedCharacters: 8 * 1024 * 1024,
  planFiles: 20,
  planFileCharacters: 64 * 1024,
  planCharacters: 256 * 1024,
});
