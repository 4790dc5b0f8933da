/** A chord such as `mod+shift+z`, read. */
interface Chord {
  /** Ctrl, or Cmd on a Mac */
  mod: boolean
  alt: boolean
  /** null where Shift only helps to type the sign: `?`, `+` */
  shift: boolean | null
  /** a letter or sign as it is typed, or the name of a key, in small letters */
  key: string
}

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> &
  Partial<Pick<KeyboardEvent, 'getModifierState'>>

/**
 * Whether a key press is the chord. A letter is the one that the keyboard's layout types; where the layout types no Latin letters, or
 * Alt turns them into others, it is the key's place. A digit is its place too: Shift makes another sign of it on each layout.
 */
export function pressed(chord: string, press: Press): boolean {
  const { mod, alt, shift, key } = parseChord(chord)
  // AltGr types signs: on Windows it comes as Ctrl with Alt
  const typing = press.getModifierState?.('AltGraph') === true
  const control = !typing && (press.ctrlKey || press.metaKey)
  if (control !== mod || (!typing && press.altKey) !== alt) return false
  if (shift !== null && press.shiftKey !== shift) return false
  if (/^\d$/.test(key)) return press.code === `Digit${key}` || press.code === `Numpad${key}`
  if (press.key.toLowerCase() === key) return true
  if (!/^[a-z]$/.test(key) || /^[a-z]$/i.test(press.key)) return false
  return press.code === `Key${key.toUpperCase()}`
}

/** Whether the chord is what one presses to write or to delete: a sign alone or with Shift, Space, Backspace, Delete. */
export function isSingleKey(chord: string): boolean {
  const { mod, alt, key } = parseChord(chord)
  return !mod && !alt && (key.length === 1 || key === 'backspace' || key === 'delete')
}

/** What stands on the keys, one a cap: `['Ctrl', 'Shift', 'Z']`, or on a Mac `['⌘', '⇧', 'Z']`. */
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

/** The chord as `aria-keyshortcuts` wants it. */
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
