import { type ReactNode, useEffect, useRef } from "react";

/** The heading of a page. It takes the focus when its page opens, so that readers of screens hear where they are. */
export function Heading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** Puts the focus on the heading of the page, where the part that had it goes. */
export function focusHeading(): void {
  document.querySelector("h1")?.focus({ preventScroll: true });
}
