import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

interface Props<Item> {
  readonly items: readonly Item[];
  readonly toKey: (item: Item) => string;
  /** Height of a row in pixels until it is measured. */
  readonly height: number;
  readonly label: string;
  readonly className: string;
  /** Called when the reader comes near the end of what is loaded. */
  readonly onNearEnd: () => void;
  /** A row; `isMoving`: the reader scrolls, so it is no time to ask the service for more about it. */
  readonly children: (item: Item, index: number, isMoving: boolean) => ReactNode;
}

/** Rows that are drawn beyond each edge of the window, so that the keyboard finds the next one. */
const BEYOND = 6;
/** Rows before the end at which more is loaded. */
const NEAR = 10;

/** Draws a list of any length: only the rows in the window and a few around it are in the page. */
export function VirtualList<Item>(props: Props<Item>) {
  const { items, toKey, height, label, className, onNearEnd, children } = props;
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  // What stands above the list may come and go.
  useEffect(() => {
    const observer = new ResizeObserver(() => setTop(list.current?.offsetTop ?? 0));
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => height,
    getItemKey: (index) => keyOf(items[index], index, toKey),
    overscan: BEYOND,
    scrollMargin: top,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  const isNearEnd = last >= items.length - NEAR;
  useEffect(() => {
    if (isNearEnd && items.length > 0) onNearEnd();
    // oxlint-disable-next-line react/exhaustive-deps -- Only more rows are a reason to ask again.
  }, [isNearEnd, items.length]);
  // By script, as the policy of the page lets no markup bring styles along.
  useLayoutEffect(() => {
    if (list.current === null) return;
    list.current.style.height = `${rows.getTotalSize()}px`;
    for (const [place, { start }] of shown.entries()) {
      const row = list.current.children[place];
      if (row instanceof HTMLElement) row.style.transform = `translateY(${start - top}px)`;
    }
  });
  return (
    <ol ref={list} className={`virtual ${className}`} aria-label={label}>
      {shown.map(({ key, index }) => {
        const item = items[index];
        return (
          item !== undefined && (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={items.length}
            >
              {children(item, index, rows.isScrolling)}
            </li>
          )
        );
      })}
    </ol>
  );
}

function keyOf<Item>(item: Item | undefined, index: number, toKey: (item: Item) => string): string {
  return item === undefined ? String(index) : toKey(item);
}
