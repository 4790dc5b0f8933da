import { expect, test } from 'vitest'
import { ariaKeys, isSingleKey, keyCaps, pressed } from './chord'

const press = (
  key: string,
  code: string,
  held: Partial<Record<'ctrl' | 'meta' | 'alt' | 'shift' | 'altGr', true>> = {},
) => ({
  key,
  code,
  ctrlKey: held.ctrl ?? held.altGr ?? false,
  metaKey: held.meta ?? false,
  altKey: held.alt ?? held.altGr ?? false,
  shiftKey: held.shift ?? false,
  getModifierState: (name: string) => name === 'AltGraph' && held.altGr === true,
})

test('mod is Ctrl as well as Cmd, and nothing else may be held', () => {
  expect(pressed('mod+d', press('d', 'KeyD', { ctrl: true }))).toBe(true)
  expect(pressed('mod+d', press('d', 'KeyD', { meta: true }))).toBe(true)
  expect(pressed('mod+d', press('d', 'KeyD'))).toBe(false)
  expect(pressed('mod+d', press('D', 'KeyD', { ctrl: true, shift: true }))).toBe(false)
  expect(pressed('mod+d', press('d', 'KeyD', { ctrl: true, alt: true }))).toBe(false)
  expect(pressed('d', press('d', 'KeyD', { ctrl: true }))).toBe(false)
})

test('Shift makes another chord of a letter', () => {
  const undo = press('z', 'KeyZ', { ctrl: true })
  const redo = press('Z', 'KeyZ', { ctrl: true, shift: true })
  expect([pressed('mod+z', undo), pressed('mod+shift+z', undo)]).toEqual([true, false])
  expect([pressed('mod+z', redo), pressed('mod+shift+z', redo)]).toEqual([false, true])
})

test('a letter is what the layout types: Z and Y change places on a German keyboard', () => {
  expect(pressed('mod+z', press('z', 'KeyY', { ctrl: true }))).toBe(true)
  expect(pressed('mod+z', press('y', 'KeyZ', { ctrl: true }))).toBe(false)
})

test('where the layout types no Latin letters it is the place of the key', () => {
  expect(pressed('mod+z', press('я', 'KeyZ', { ctrl: true }))).toBe(true)
  expect(pressed('c', press('ψ', 'KeyC'))).toBe(true)
  expect(pressed('alt+c', press('ç', 'KeyC', { alt: true }))).toBe(true)
})

test('a digit with Shift is found on each layout', () => {
  expect(pressed('shift+1', press('!', 'Digit1', { shift: true }))).toBe(true)
  expect(pressed('shift+1', press('+', 'Digit1', { shift: true }))).toBe(true)
  expect(pressed('shift+1', press('1', 'Digit1'))).toBe(false)
  expect(pressed('mod+0', press('0', 'Numpad0', { ctrl: true }))).toBe(true)
})

test('a sign is a sign, however one types it', () => {
  expect(pressed('?', press('?', 'Slash', { shift: true }))).toBe(true)
  expect(pressed('+', press('+', 'BracketRight'))).toBe(true)
  expect(pressed('+', press('+', 'Equal', { shift: true }))).toBe(true)
  expect(pressed('/', press('/', 'Digit7', { shift: true }))).toBe(true)
  expect(pressed('/', press('/', 'KeyQ', { altGr: true }))).toBe(true)
  expect(pressed('mod++', press('+', 'Equal', { ctrl: true, shift: true }))).toBe(true)
})

test('keys with names', () => {
  expect(pressed('Alt+ArrowUp', press('ArrowUp', 'ArrowUp', { alt: true }))).toBe(true)
  expect(pressed('ArrowUp', press('ArrowUp', 'ArrowUp', { alt: true }))).toBe(false)
  expect(pressed('space', press(' ', 'Space'))).toBe(true)
  expect(pressed('F2', press('F2', 'F2'))).toBe(true)
})

test('caps say what stands on the keys', () => {
  expect(keyCaps('mod+shift+z', false)).toEqual(['Ctrl', 'Shift', 'Z'])
  expect(keyCaps('mod+shift+z', true)).toEqual(['⌘', '⇧', 'Z'])
  expect(keyCaps('Alt+ArrowUp', false)).toEqual(['Alt', '↑'])
  expect(keyCaps('?', false)).toEqual(['?'])
  expect(keyCaps('mod++', false)).toEqual(['Ctrl', '+'])
  expect(keyCaps('Escape', false)).toEqual(['Esc'])
})

test('assistive technology hears them too', () => {
  expect(ariaKeys('mod+shift+z')).toBe('Control+Shift+Z')
  expect(ariaKeys('+')).toBe('Plus')
  expect(ariaKeys('Alt+ArrowUp')).toBe('Alt+ArrowUp')
})

test('single keys are those that one writes and deletes with', () => {
  expect(['h', '?', '+', 'Space', 'shift+1', 'shift+Space', 'Delete', 'Backspace'].filter(isSingleKey)).toHaveLength(8)
  expect(['mod+k', 'Alt+a', 'Alt+ArrowUp', 'Escape', 'F6', 'Enter', 'mod++'].filter(isSingleKey)).toEqual([])
})
