import { expect, test } from 'vitest'
import { actOfKey, type PressedKey } from './actOfKey'

const pressed: string[] = []
const keys = Object.fromEntries(['j', 'k', 'e', 'r', 'n', 'a', '/', '?'].map((key) => [key, () => pressed.push(key)]))
/** An element as far as it is asked about: whether one of these selectors finds it, or what it is in. */
const inside = (...parts: string[]) => ({
  closest: (selector: string) => (selector.split(', ').some((one) => parts.includes(one)) ? {} : null),
})
const press = (key: string, how: Partial<PressedKey> = {}) => {
  const event = { key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, defaultPrevented: false }
  pressed.length = 0
  const act = actOfKey(keys, { ...event, target: inside('button'), ...how })
  if (!act) return ''
  act()
  return pressed.join('') || 'something else'
}

test.each(['j', 'k', 'e', 'r', 'n', 'a', '/', '?'])('%s does what it is for', (key) => {
  expect(press(key)).toBe(key)
})

test.each([
  ['a key without a meaning', 'x', {}],
  ['a name that every object has', 'constructor', {}],
  ['Ctrl and a key, which is the browser’s', 'r', { ctrlKey: true }],
  ['the command key and a key', 'a', { metaKey: true }],
  ['Alt and a key', 'e', { altKey: true }],
  ['what something else has taken', 'e', { defaultPrevented: true }],
  ['what is typed into a field', 'e', { target: inside('input:not([type="checkbox"])') }],
  ['what is typed into a text', 'e', { target: inside('textarea') }],
  ['what is typed into an answer', 'e', { target: inside('[contenteditable="true"]') }],
  ['a key in a list to choose from', 'k', { target: inside('select') }],
  ['a key in a dialog', 'e', { target: inside('[role="dialog"]') }],
  ['a key in a menu', 'a', { target: inside('[role="menu"]') }],
] as const)('%s does nothing', (_, key, how) => {
  expect(press(key, how)).toBe('')
})

test('a checkbox of the list leaves the keys as they are', () => {
  expect(press('j', { target: inside('input') })).toBe('j')
  expect(press('j', { target: null })).toBe('j')
})

test('held keys go from one conversation to the next; none is closed or assigned by that', () => {
  expect(press('j', { repeat: true }) + press('k', { repeat: true })).toBe('jk')
  expect(press('e', { repeat: true }) + press('a', { repeat: true }) + press('r', { repeat: true })).toBe('')
})
