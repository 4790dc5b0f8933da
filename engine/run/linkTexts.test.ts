import { expect, test } from 'vitest'
import { createOpenedBy } from './linkTexts'

const opened = createOpenedBy([
  { blockId: 'order', text: 'Order' },
  { blockId: 'status', text: 'Order  status' },
  { blockId: 'again', text: 'order' },
  { blockId: 'empty', text: ' ' },
])

test('a message is opened by the link whose text it begins with, whatever its case and spaces', () => {
  expect(opened(' ORDER ')).toBe('order')
  expect(opened('order: two chairs')).toBe('order')
  expect(opened('Order status of 17')).toBe('status')
  expect(opened('order\n status')).toBe('status')
})

test('words that only begin like a link’s are others', () => {
  for (const message of ['orders', 'order7', 'my order', '']) expect(opened(message), message).toBeNull()
  expect(opened('order statuses')).toBe('order')
})

test('without links no message is opened by one', () => {
  expect(createOpenedBy([])('order')).toBeNull()
  expect(createOpenedBy([{ blockId: 'empty', text: '' }])('order')).toBeNull()
})
