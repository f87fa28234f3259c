import { useId, useRef } from "react";
import { words } from "#words/parts.ts";
import { Text } from "./text.tsx";

interface Props {
  /** Text of the button, and of the one that confirms it. */
  readonly label: string;
  /** A sentence that says what will happen. */
  readonly consequence: string;
  readonly onConfirm: () => void;
  readonly disabled?: boolean;
  readonly primary?: boolean;
}

/**
 * A button for what others will notice: it says what will happen, and does it once that is confirmed. While it is disabled it keeps
 * the focus, which browsers take from buttons that are disabled as HTML has it.
 */
export function ConfirmButton({ label, consequence, onConfirm, disabled = false, primary = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const confirm = () => {
    dialog.current?.close();
    onConfirm();
  };
  return (
    <>
      <button
        type="button"
        className={primary ? "primary" : undefined}
        aria-disabled={disabled}
        onClick={() => {
          if (!disabled) dialog.current?.showModal();
        }}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <div id={id}>
          <Text block>{consequence}</Text>
        </div>
        <div className="actions">
          <button type="button" className="primary" onClick={confirm}>
            {label}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {words.cancel}
          </button>
        </div>
      </dialog>
    </>
  );
}
