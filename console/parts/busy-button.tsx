import type { ReactNode } from "react";

interface Props {
  readonly type: "button" | "submit";
  /** While it is busy it does nothing, and keeps the focus, which browsers take from buttons that are disabled as HTML has it. */
  readonly isBusy: boolean;
  readonly primary?: boolean;
  /** Absent: its form does what it is for. */
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

/** A button that does nothing while what it began still goes on. */
export function BusyButton({ type, isBusy, primary = false, onClick, children }: Props) {
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- It is one of the two.
      type={type}
      className={primary ? "primary" : undefined}
      aria-disabled={isBusy}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}
