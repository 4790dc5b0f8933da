import { expect, it } from 'vitest'
import { blockHashes, withoutBlocks } from './blockHashes'

const address = 'Harbour Lamps, Quay Street 4, [Portsmouth](https://a.example/map).'
const page = `# Oil\n\nOil for lamps costs four euros a litre.\n\n${address}`

it('knows the same words again, wherever their links lead and however they are set', () => {
  const [block] = blockHashes('**Harbour Lamps**, Quay Street 4, [Portsmouth](https://a.example/other)')
  expect(blockHashes(page)).toContain(block)
  expect(withoutBlocks(page, new Set([block ?? 0]))).toBe('# Oil\n\nOil for lamps costs four euros a litre.')
})

it('compares no headings, labels or code, and each block once', () => {
  expect(blockHashes('# A heading of some length\n\nMore\n\n```\nlamp --light --oil\n\nlamp --wick\n```')).toEqual([])
  expect(blockHashes('Oil for lamps is sold here.\n\nOil for lamps is sold here.')).toHaveLength(1)
})

it('leaves a page as it is of which nothing but headings would be left', () => {
  expect(withoutBlocks(page, new Set(blockHashes(page)))).toBe(page)
})
