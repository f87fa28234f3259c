import type { Registry, RegistryEvent } from "./registry-types.ts";

/** Tells listeners what has happened; `onError` hears of what one of them throws, the others are told all the same. */
export function createEvents(onError: (error: unknown) => void): Pick<Registry, "subscribe"> & {
  readonly emit: (event: RegistryEvent) => void;
} {
  const listeners = new Set<(event: RegistryEvent) => void>();
  return Object.freeze({
    emit(event: RegistryEvent) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(listener: (event: RegistryEvent) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
}
