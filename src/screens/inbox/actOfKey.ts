/** What a key does, by the key. */
export type InboxKeys = Readonly<Record<string, () => void>>

/** What is read of a key that was pressed. */
export type PressedKey = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'defaultPrevented'
> & { target: unknown }

/** Where keys are typed, or mean something else. */
const TYPED = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]'
/** Keys that go on while they are held. */
const HELD = new Set(['j', 'k'])

/**
 * What a pressed key does; undefined: nothing. None does while something is typed, in dialogs and menus, together
 * with a key of the browser's or the system's, or once something else has taken it.
 */
export function actOfKey(keys: InboxKeys, event: PressedKey): (() => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined
  // whoever holds a key closes or assigns one conversation, not each that comes next
  if (event.repeat && !HELD.has(event.key)) return undefined
  if (isIn(event.target, TYPED)) return undefined
  return Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
}

const isIn = (target: unknown, selector: string): boolean =>
  target !== null &&
  typeof target === 'object' &&
  'closest' in target &&
  typeof target.closest === 'function' &&
  target.closest(selector) !== null
