import { expect, test } from 'vitest'
import { mayReload } from './chunkReload'

test('a failed chunk reloads the page, at most once in 60 seconds', () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  const start = 1_000_000
  const tries = [0, 1, 59_999, 60_000, 60_001].map((after) => mayReload(storage, start + after))
  expect(tries).toEqual([true, false, false, true, false])
})
