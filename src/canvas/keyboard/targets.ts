export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/**
 * Whether the event's target is the canvas, including when nothing has the focus, as after a click on the empty canvas.
 */
export const isOnCanvas = (target: EventTarget | null): boolean =>
  isAroundCanvas(target) ||
  (target instanceof Element && target.closest('.react-flow') !== null && target.closest('button, a') === null)

/** The canvas with its tools, or nothing. */
export const isInCanvas = (target: EventTarget | null): boolean =>
  isAroundCanvas(target) || (target instanceof Element && target.closest('[data-canvas]') !== null)

/**
 * Pressing something that is not focusable focuses the page, or its focusable main part: then the canvas gets the keys.
 */
const isAroundCanvas = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.querySelector('[data-canvas]') !== null)

/** A dialog, a menu or a list box handles its own keys. */
export const hasOwnKeys = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null ||
  (target instanceof HTMLElement && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null)
