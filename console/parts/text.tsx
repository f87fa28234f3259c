import { words } from "#words/parts.ts";
import { toPieces } from "./visible.ts";

/**
 * Shows a text that others wrote: names, descriptions and answers of tools, messages. It is text, never markup, what would hide
 * or reorder it is shown by its number, and its direction stays its own.
 */
export function Text({ children, block = false }: { readonly children: string; readonly block?: boolean }) {
  const shown = toPieces(children).map((piece) =>
    piece.kind === "text" ? (
      piece.text
    ) : (
      <span key={piece.at} className="hidden-character" title={words.hiddenCharacter}>
        {piece.code}
      </span>
    ),
  );
  return block ? (
    <div dir="auto" className="foreign-block">
      {shown}
    </div>
  ) : (
    <bdi>{shown}</bdi>
  );
}
