export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Also where nothing has the focus, as after a click on the empty canvas. */
export const isOnCanvas = (target: EventTarget | null): boolean =>
  isAroundCanvas(target) ||
  (target instanceof Element && target.closest('.react-flow') !== null && target.closest('button, a') === null)

/** The canvas with its tools, or nothing at all. */
export const isInCanvas = (target: EventTarget | null): boolean =>
  isAroundCanvas(target) || (target instanceof Element && target.closest('[data-canvas]') !== null)

/** A press on what can't have the focus gives it to the page, or to its main part, which can: then the canvas is meant. */
const isAroundCanvas = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.querySelector('[data-canvas]') !== null)

/** A dialog, a menu or a list to choose from has keys of its own. */
export const hasOwnKeys = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null ||
  (target instanceof HTMLElement && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null)
