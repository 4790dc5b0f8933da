import { expect, test } from 'vitest'
import { disposition } from './disposition'

test.each([
  ['inline', '', 'inline'],
  ['attachment', 'a.txt', "attachment; filename*=UTF-8''a.txt"],
  ['inline', 'Größe "1".txt', "inline; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.txt"],
  ['attachment', "it's (a) *.txt", "attachment; filename*=UTF-8''it%27s%20%28a%29%20%2A.txt"],
  ['attachment', 'a\r\nb; c', "attachment; filename*=UTF-8''a%0D%0Ab%3B%20c"],
] as const)('%s as %j is %s', (way, name, header) => {
  expect(disposition(way, name)).toBe(header)
})
