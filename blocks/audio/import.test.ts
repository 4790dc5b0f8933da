import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

test('a sound keeps its address, and that it played by itself is noted', () => {
  const { kind, data, notes } = importBlock({
    type: 'audio',
    content: { url: 'https://a.test/a.mp3', isAutoplayEnabled: true },
  })
  expect(kind).toBe('audio')
  expect(data).toEqual({
    url: { type: 'static', value: 'https://a.test/a.mp3' },
    caption: { type: 'static', value: '' },
  })
  expect(notes).toEqual(['It played by itself: here visitors start it.'])
})

test('an address may be a variable; what is no address of the web is kept as a placeholder', () => {
  const { data, variable } = importBlock({ type: 'audio', content: { url: '{{Song}}' } }, 'Song')
  expect(data.url).toEqual({ type: 'dynamic', parts: [{ type: 'variable', variable_id: variable }] })
  expect(importBlock({ type: 'audio', content: { url: 'blob:x' } }).kind).toBe('placeholder')
})
