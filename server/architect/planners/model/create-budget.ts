import type { ModelLimits } from "./model-limits.ts";

/** Usage of a plan so far. */
export interface Used {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True if the endpoint left tokens out of an answer, so that they were estimated by length. */
  readonly estimated: boolean;
}

/** Usage that an endpoint reports for an answer; undefined where it reports none. */
export interface Usage {
  readonly input: number | undefined;
  readonly output: number | undefined;
}

export interface Budget {
  /** Finds the limit that another turn with so many bytes of input would exceed; undefined where none. */
  findExceeded(inputBytes: number): string | undefined;
  /** Finds the limit that the turns so far have exceeded; undefined where none. */
  findOverspent(): string | undefined;
  /** Tokens that the next answer may have. */
  nextOutput(inputBytes: number): number;
  /** Milliseconds that are left. */
  left(): number;
  charge(usage: Usage, inputBytes: number, outputBytes: number): void;
  used(): Used;
}

/** Three bytes a token is more tokens than texts have in most languages, so an estimate stops early rather than late. */
const BYTES_PER_TOKEN = 3;

export function createBudget(limits: ModelLimits, now: () => number): Budget {
  const start = now();
  let used: Used = { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false };
  const left = () => limits.wallMs - (now() - start);
  const tokensLeft = () => limits.tokens - used.inputTokens - used.outputTokens;
  const costLeft = () => limits.cost - used.inputTokens - used.outputTokens * limits.outputWeight;
  return {
    left,
    used: () => used,
    findExceeded(inputBytes) {
      const next = toTokens(inputBytes);
      if (used.turns >= limits.turns) return `${limits.turns} turns (\`turns\`)`;
      if (left() <= 0) return `${limits.wallMs} ms (\`wallMs\`)`;
      if (tokensLeft() <= next) return `${limits.tokens} tokens (\`tokens\`)`;
      if (costLeft() <= next) return `a cost of ${limits.cost} (\`cost\`)`;
      return undefined;
    },
    findOverspent() {
      if (tokensLeft() < 0) return `${limits.tokens} tokens (\`tokens\`)`;
      if (costLeft() < 0) return `a cost of ${limits.cost} (\`cost\`)`;
      return left() < 0 ? `${limits.wallMs} ms (\`wallMs\`)` : undefined;
    },
    nextOutput(inputBytes) {
      const next = toTokens(inputBytes);
      const byCost = Math.floor((costLeft() - next) / limits.outputWeight);
      return Math.max(1, Math.min(limits.outputTokensPerTurn, tokensLeft() - next, byCost));
    },
    charge({ input, output }, inputBytes, outputBytes) {
      used = {
        turns: used.turns + 1,
        inputTokens: used.inputTokens + (input ?? toTokens(inputBytes)),
        outputTokens: used.outputTokens + (output ?? toTokens(outputBytes)),
        estimated: used.estimated || input === undefined || output === undefined,
      };
    },
  };
}

function toTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
