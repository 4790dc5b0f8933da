import { expect, test } from 'vitest'
import { placeCard } from './place'

const card = { width: 300, height: 160 }
const wide = { width: 1440, height: 900 }
const phone = { width: 390, height: 700 }

test.each([
  ['right of the palette', { left: 0, top: 48, width: 212, height: 852 }, wide, { left: 224, top: 48 }],
  ['left of the settings', { left: 1000, top: 48, width: 360, height: 852 }, wide, { left: 688, top: 48 }],
  ['left of a button at the right edge', { left: 1340, top: 8, width: 90, height: 32 }, wide, { left: 1028, top: 8 }],
  ['below a button on a phone', { left: 130, top: 8, width: 52, height: 32 }, phone, { left: 82, top: 52 }],
  ['above a sheet on a phone', { left: 0, top: 400, width: 390, height: 300 }, phone, { left: 8, top: 228 }],
  ['inside what fills the window', { left: 0, top: 0, width: 390, height: 700 }, phone, { left: 45, top: 528 }],
])('a card stands %s', (_, about, view, spot) => {
  expect(placeCard(about, card, view)).toEqual(spot)
})

test('a card never leaves the window', () => {
  for (let at = -200; at < 1600; at += 37) {
    const { left, top } = placeCard({ left: at, top: at, width: 40, height: 40 }, card, wide)
    expect(left).toBeGreaterThanOrEqual(8)
    expect(top).toBeGreaterThanOrEqual(8)
    expect(left + card.width).toBeLessThanOrEqual(wide.width - 8)
    expect(top + card.height).toBeLessThanOrEqual(wide.height - 8)
  }
})
