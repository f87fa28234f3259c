import { words } from "#words/shell.ts";
import { useProvider } from "../service/session.ts";
import { Failure } from "../parts/failure.tsx";
import { Text } from "../parts/text.tsx";
import { readReturn } from "./read-return.ts";

/** Leads the reader to the provider, and says why one who came back from it is not signed in. */
export function ProviderSignIn({ name }: { readonly name: string }) {
  const { problem, returnTo } = readReturn(window.location);
  const provider = useProvider();
  return (
    <>
      {problem !== undefined && !provider.isError && (
        <div role="alert" className="failure">
          <Text>{words.problems[problem](name)}</Text>
        </div>
      )}
      {provider.isError && <Failure error={provider.error} />}
      <p>
        <button
          type="button"
          className="primary"
          // It stays so until the browser has gone.
          disabled={provider.isPending || provider.isSuccess}
          onClick={() => provider.mutate(returnTo)}
        >
          <Text>{words.signInWith(name)}</Text>
        </button>
      </p>
    </>
  );
}
