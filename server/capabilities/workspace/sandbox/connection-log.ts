/** An attempt of a command to reach a host; equal attempts are listed once. */
export interface Connection {
  /** Empty when the program's request named none. */
  readonly host: string;
  readonly port: number;
  /** True when a connection was begun. */
  readonly allowed: boolean;
  /** Reason of the refusal. */
  readonly reason?: string;
}

/** Different attempts that are told of one command. */
export const TOLD_CONNECTIONS = 50;

export interface ConnectionLog {
  /** False when there is no room to tell it: then it must not be allowed either. */
  tell(connection: Connection): boolean;
  all(): readonly Connection[];
}

export function createConnectionLog(): ConnectionLog {
  const told = new Map<string, Connection>();
  return {
    tell(connection) {
      const key = JSON.stringify(connection);
      if (told.has(key)) return true;
      if (told.size === TOLD_CONNECTIONS) return false;
      told.set(key, connection);
      return true;
    },
    all: () => [...told.values()],
  };
}
