import { expect, test } from 'vitest'
import { onCdn, storageUrl } from './storageUrl'

const bases = { publicUrl: 'https://parley.example', chatUrl: null, cdnUrl: 'https://cdn.example' }
const FILE = '/files/abcdefgh12345678'

test.each([
  [2, {}, 'https://parley.example'],
  [2, { chatUrl: 'https://chat.example' }, 'https://chat.example'],
  ['cdn_2', {}, 'https://cdn.example'],
  ['cdn_2', { cdnUrl: null }, 'https://parley.example'],
  ['cdn_2', { cdnUrl: null, chatUrl: 'https://chat.example' }, 'https://chat.example'],
] as const)('storage %s with %j is at %s', (kind, more, base) => {
  expect(storageUrl({ ...bases, ...more }, kind, FILE)).toBe(base + FILE)
})

test('visitors load uploads from the CDN, wherever they stand in what they are sent, and nothing else', () => {
  const card = { image: FILE, title: 'Lamp', link: 'https://shop.example/files/abcdefgh12345678' }
  const content = { kind: 'carousel', items: [card], sent: '/files/sent/abcdefgh12345678', text: FILE }
  expect(onCdn(bases, content)).toEqual({ ...content, items: [{ ...card, image: `https://cdn.example${FILE}` }] })
  expect(onCdn({ ...bases, cdnUrl: null }, content)).toBe(content)
})
