import { expect, test } from 'vitest'
import { ApiError } from '../errors'
import { readBody } from './fileBody'

const tooLarge = () => new ApiError('too_large')
async function* parts(...lengths: number[]) {
  for (const length of lengths) yield new Uint8Array(length).fill(length)
}
/** How many bytes come through, or the code of the refusal, of parts of these lengths. */
async function read(lengths: number[], { head = 4, cap = 10 } = {}) {
  const { bytes } = await readBody(parts(...lengths), { head, cap, tooLarge })
  let sum = 0
  try {
    for await (const part of bytes) sum += part.length
  } catch (error) {
    return (error as ApiError).code
  }
  return sum
}

test('a body of exactly the cap is read, of one byte more refused, in whatever parts it comes', async () => {
  for (const lengths of [[10], [4, 6], [1, 1, 8], [4, 3, 3]]) expect(await read(lengths), String(lengths)).toBe(10)
  for (const lengths of [[11], [4, 7], [1, 1, 9], [4, 3, 3, 1]])
    expect(await read(lengths), String(lengths)).toBe('too_large')
})

test('the head has as many bytes as are asked for, fewer of a shorter body, and is part of the whole', async () => {
  const { head, bytes } = await readBody(parts(2, 3, 4), { head: 4, cap: 100, tooLarge })
  expect([...head]).toEqual([2, 2, 3, 3, 3])
  const all = []
  for await (const part of bytes) all.push(...part)
  expect(all).toEqual([2, 2, 3, 3, 3, 4, 4, 4, 4])
  expect((await readBody(parts(2), { head: 4, cap: 100, tooLarge })).head).toHaveLength(2)
  expect(await read([])).toBe(0)
})

test('an upload that is cut off says so, in its head and after it', async () => {
  async function* cut(length: number) {
    yield new Uint8Array(length)
    throw new Error('aborted')
  }
  await expect(readBody(cut(2), { head: 4, cap: 10, tooLarge })).rejects.toMatchObject({ code: 'malformed' })
  const { bytes } = await readBody(cut(4), { head: 4, cap: 10, tooLarge })
  const all = async () => {
    for await (const part of bytes) expect(part).toHaveLength(4)
  }
  await expect(all()).rejects.toMatchObject({ code: 'malformed' })
})
