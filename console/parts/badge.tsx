import { Text } from "./text.tsx";

/** The state of something as the service names it. */
export function Badge({ state }: { readonly state: string }) {
  return (
    <span className="badge" data-kind={state}>
      <Text>{state}</Text>
    </span>
  );
}
