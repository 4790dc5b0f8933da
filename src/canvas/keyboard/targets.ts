export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Also where nothing has the focus, as after a click on the empty canvas. */
export const isOnCanvas = (target: EventTarget | null): boolean =>
  target === document.body ||
  (target instanceof Element && target.closest('.react-flow') !== null && target.closest('button, a') === null)

/** A dialog, a menu or a list to choose from has keys of its own. */
export const hasOwnKeys = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null ||
  (target instanceof HTMLElement && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null)
