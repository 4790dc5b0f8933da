/** A parsed chord such as `mod+shift+z`. */
interface Chord {
  /** Ctrl, or Cmd on a Mac */
  mod: boolean
  alt: boolean
  /** null if Shift may be needed to type the character: `?`, `+` */
  shift: boolean | null
  /** a typed letter or character, or a key's name, in lower case */
  key: string
}

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> &
  Partial<Pick<KeyboardEvent, 'getModifierState'>>

/**
 * Whether a key press matches a chord. A letter is matched by the keyboard layout, or by the key's position if the
 * layout has no Latin letters or Alt changes them. A digit is matched by position, since Shift changes it on every
 * layout.
 */
export function pressed(chord: string, press: Press): boolean {
  const { mod, alt, shift, key } = parseChord(chord)
  // AltGr types characters: on Windows it is reported as Ctrl with Alt
  const typing = press.getModifierState?.('AltGraph') === true
  const control = !typing && (press.ctrlKey || press.metaKey)
  if (control !== mod || (!typing && press.altKey) !== alt) return false
  if (shift !== null && press.shiftKey !== shift) return false
  if (/^\d$/.test(key)) return press.code === `Digit${key}` || press.code === `Numpad${key}`
  if (press.key.toLowerCase() === key) return true
  if (!/^[a-z]$/.test(key) || /^[a-z]$/i.test(press.key)) return false
  return press.code === `Key${key.toUpperCase()}`
}

/** Whether the chord also types or deletes: a character alone or with Shift, Space, Backspace, Delete. */
export function isSingleKey(chord: string): boolean {
  const { mod, alt, key } = parseChord(chord)
  return !mod && !alt && (key.length === 1 || key === 'backspace' || key === 'delete')
}

/** The labels of the keys: `['Ctrl', 'Shift', 'Z']`, or on a Mac `['⌘', '⇧', 'Z']`. */
export function keyCaps(chord: string, mac: boolean = isMac()): string[] {
  // held alone, with the mouse
  if (chord === 'mod') return [mac ? '⌘' : 'Ctrl']
  const { mod, alt, shift, key } = parseChord(chord)
  return [
    ...(mod ? [mac ? '⌘' : 'Ctrl'] : []),
    ...(alt ? [mac ? '⌥' : 'Alt'] : []),
    ...(shift ? [mac ? '⇧' : 'Shift'] : []),
    caps[key] ?? (key.length === 1 ? key.toUpperCase() : key[0]?.toUpperCase() + key.slice(1)),
  ]
}

/** The chord in the format of `aria-keyshortcuts`. */
export function ariaKeys(chord: string): string {
  const { mod, alt, shift, key } = parseChord(chord)
  const written = chord.slice(-key.length)
  const name = key === ' ' ? 'Space' : key === '+' ? 'Plus' : written[0]?.toUpperCase() + written.slice(1)
  return [...(mod ? ['Control'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : []), name].join('+')
}

const caps: Readonly<Record<string, string>> = {
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  delete: 'Del',
  escape: 'Esc',
  pageup: 'Page ↑',
  pagedown: 'Page ↓',
  ' ': 'Space',
}

function parseChord(chord: string): Chord {
  const parts = chord.endsWith('+') ? [...chord.slice(0, -1).split('+').filter(Boolean), '+'] : chord.split('+')
  const key = (parts.at(-1) ?? '').toLowerCase().replace(/^space$/, ' ')
  const modifiers = new Set(parts.slice(0, -1).map((part) => part.toLowerCase()))
  const sign = key.length === 1 && !/[a-z\d ]/.test(key)
  return {
    mod: modifiers.has('mod'),
    alt: modifiers.has('alt'),
    shift: modifiers.has('shift') ? true : sign ? null : false,
    key,
  }
}

const isMac = () => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)
