import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

const url = (content: object, ...variables: string[]) => {
  const { kind, data, notes } = importBlock({ type: 'video', content }, ...variables)
  return { kind, url: data.url, notes }
}

test.each([
  [{ url: 'https://a.test/film.mp4', type: 'url' }, 'https://a.test/film.mp4'],
  [{ type: 'youtube', id: 'dQw4w9WgXcQ' }, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
  [{ type: 'vimeo', id: '76979871', url: 'https://vimeo.com/76979871' }, 'https://vimeo.com/76979871'],
  [{ type: 'vimeo', id: '76979871' }, 'https://vimeo.com/76979871'],
  [{}, ''],
])('a video keeps its address: %o', (content, address) => {
  expect(url(content)).toEqual({ kind: 'video', url: { type: 'static', value: address }, notes: [] })
})

test('an address may be a variable', () => {
  expect(url({ url: '{{Film}}' }, 'Film').url).toMatchObject({ type: 'dynamic', parts: [{ type: 'variable' }] })
})

test('what is no address of the web is kept as a placeholder, a site without a player is noted', () => {
  expect(url({ url: 'data:video/mp4;base64,AAAA' }).kind).toBe('placeholder')
  expect(url({ type: 'tiktok', url: 'https://www.tiktok.com/@a/video/1' })).toMatchObject({
    kind: 'video',
    notes: ['There is no player for videos of this site: its address is kept.'],
  })
})
