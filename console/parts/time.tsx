/** A moment of the service, as the reader's own place and language write it. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  const shown = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return (
    <time dateTime={at} title={date.toISOString()}>
      {shown}
    </time>
  );
}
