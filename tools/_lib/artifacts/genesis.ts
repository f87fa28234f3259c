import type { MethodsInterface } from "./artifact.ts";

/** Whom the artifacts belong to that every tenant has from the beginning. */
export const GENESIS_OWNER = "genesis";

const NAME = { type: "string" };
const SUMMARIES = {
  type: "object",
  required: ["artifacts"],
  properties: {
    artifacts: { type: "array", items: { type: "object" } },
    next: { type: "string" },
  },
  additionalProperties: false,
};

/**
 * The artifacts that every tenant has from the beginning, by name. Each method is a tool of this server, too, whose manifest
 * says the same.
 */
const GENESIS: Readonly<Record<string, MethodsInterface>> = {
  genesis_ledger: {
    description: "Keeps who has how much scrip.",
    methods: {
      get_balance: {
        description: "Get scrip balance for a principal",
        inputSchema: { type: "object", properties: { principal_id: NAME }, required: ["principal_id"] },
        outputSchema: {
          type: "object",
          required: ["principal_id", "balance"],
          properties: { principal_id: NAME, balance: { type: "integer", minimum: 0 } },
          additionalProperties: false,
        },
      },
      transfer: {
        description: "Transfer scrip to another principal",
        inputSchema: {
          type: "object",
          properties: { to: NAME, amount: { type: "integer", minimum: 1 } },
          required: ["to", "amount"],
        },
        outputSchema: {
          type: "object",
          required: ["from", "to", "amount", "balance"],
          properties: {
            from: NAME,
            to: NAME,
            amount: { type: "integer", minimum: 1 },
            balance: { type: "integer", minimum: 0 },
          },
          additionalProperties: false,
        },
      },
      history: {
        description: "Everything that was ever transferred, paid or issued, in order",
        inputSchema: {
          type: "object",
          properties: {
            principal_id: NAME,
            from: { type: "integer", minimum: 0, default: 0 },
            limit: { type: "integer", minimum: 1, maximum: 500, default: 100 },
          },
        },
        outputSchema: {
          type: "object",
          required: ["entries"],
          properties: {
            entries: { type: "array", items: { type: "object" } },
            next: { type: "integer", minimum: 1 },
          },
          additionalProperties: false,
        },
      },
    },
  },
  genesis_store: {
    description: "Tells which artifacts there are and how to invoke them.",
    methods: {
      get_interface: {
        description: "Get the interface of an artifact, or null if it has none",
        inputSchema: { type: "object", properties: { artifact_id: NAME }, required: ["artifact_id"] },
        outputSchema: {
          type: "object",
          required: ["artifact_id", "interface"],
          properties: { artifact_id: NAME, interface: { type: ["object", "null"] } },
          additionalProperties: false,
        },
      },
      list: {
        description: "List artifacts by name",
        inputSchema: {
          type: "object",
          properties: {
            after: NAME,
            limit: { type: "integer", minimum: 1, maximum: 200, default: 50 },
          },
        },
        outputSchema: SUMMARIES,
      },
      search: {
        description: "Find artifacts by what their interfaces say, and by arguments that they would take",
        inputSchema: {
          type: "object",
          properties: {
            query: { type: "string", maxLength: 500 },
            accepts: { type: "object" },
            limit: { type: "integer", minimum: 1, maximum: 50, default: 10 },
          },
        },
        outputSchema: SUMMARIES,
      },
    },
  },
};

export const GENESIS_NAMES: readonly string[] = Object.keys(GENESIS);

export function findGenesis(name: string): MethodsInterface | undefined {
  return Object.hasOwn(GENESIS, name) ? GENESIS[name] : undefined;
}
