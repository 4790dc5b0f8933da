import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

const embed = (content: object) => importBlock({ type: 'embed', content })

test('an embedded page keeps its address, and its height within the limits', () => {
  expect(embed({ url: 'https://a.test', height: '500' })).toMatchObject({
    kind: 'embed',
    data: { url: { type: 'static', value: 'https://a.test' }, height: 500 },
    notes: [],
  })
  expect(embed({ url: 'https://a.test', height: 5000 }).data.height).toBe(1000)
  expect(embed({ url: 'https://a.test', height: '{{H}}' }).data.height).toBe(400)
  expect(embed({ url: 'about:blank' }).kind).toBe('placeholder')
})

test('that it waited for the page is noted', () => {
  expect(embed({ url: 'https://a.test', waitForEvent: { isEnabled: true, name: 'done' } }).notes).toEqual([
    'It waited for a message from the page: here the conversation goes on at once.',
  ])
})
