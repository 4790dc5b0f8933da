import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

test('an image keeps its address, its description and where a click leads', () => {
  const content = { url: 'https://a.test/{{Pic}}.png', clickLink: { url: 'https://b.test', alt: 'A boat' } }
  const { kind, data, variable } = importBlock({ type: 'image', content }, 'Pic')
  expect(kind).toBe('image')
  expect(data).toEqual({
    url: {
      type: 'dynamic',
      parts: [
        { type: 'text', text: 'https://a.test/' },
        { type: 'variable', variable_id: variable },
        { type: 'text', text: '.png' },
      ],
    },
    alt: { type: 'static', value: 'A boat' },
    link: { type: 'static', value: 'https://b.test' },
  })
})

test('an image whose data stand in its address is kept as a placeholder', () => {
  const { kind, report } = importBlock({ type: 'image', content: { url: 'data:image/png;base64,AAAA' } })
  expect(kind).toBe('placeholder')
  expect(report.placeholders).toEqual([
    {
      type: 'image',
      count: 1,
      reason: 'The image has no address that starts with https:// or http://.',
      places: ['Group'],
    },
  ])
})

test('a link that is none of the web is left out and noted', () => {
  const clickLink = { url: 'javascript:alert(1)' }
  const { data, notes } = importBlock({ type: 'image', content: { url: 'https://a.test/a.png', clickLink } })
  expect(data.link).toEqual({ type: 'static', value: '' })
  expect(notes).toEqual(['The link of the image is left out: it must start with https:// or http://.'])
})
