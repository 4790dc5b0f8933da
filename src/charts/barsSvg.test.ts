import { DOMParser } from 'linkedom'
import { expect, test } from 'vitest'
import { barsSvg } from './barsSvg'

const parsed = (svg: string) => new DOMParser().parseFromString(svg, 'image/svg+xml')

test('the file says each bar with its number, in proportion to the largest', () => {
  const svg = parsed(
    barsSvg('Languages', [
      { name: 'English', value: 40, text: '40 · 80 %' },
      { name: 'German', value: 10, text: '10 · 20 %' },
    ]),
  )
  const texts = [...svg.querySelectorAll('text')].map(({ textContent }) => textContent)
  expect(texts).toEqual(['Languages', 'English', '40 · 80 %', 'German', '10 · 20 %'])
  const [, ...bars] = [...svg.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('width')))
  expect(bars).toEqual([608, 152])
})

test('what visitors wrote is text, however it looks, and is cut where there is no room', () => {
  const name = `<script>alert("1")</script> & \u0000${'long '.repeat(50)}`
  const svg = barsSvg('Questions', [{ name, value: 1, text: '1' }])
  expect(svg).not.toContain('<script')
  expect(svg).not.toContain('\u0000')
  const [, shown] = [...parsed(svg).querySelectorAll('text')]
  expect(shown?.textContent).toMatch(/^<script>alert\("1"\)<\/script> & long .*…$/)
  expect([...(shown?.textContent ?? '')].length).toBeLessThanOrEqual(72)
})

test('without bars it is a picture with a title', () => {
  expect(parsed(barsSvg('Pages', [])).querySelectorAll('text').length).toBe(1)
})
