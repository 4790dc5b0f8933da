import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { float32, int32, safetensors, type TestTensor, tokenizerOf } from '../../../../tests/support/localModel'
import { embedTexts } from './embedTexts'
import { packModel } from './packModel'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const WORDS = ['red', 'green', 'blue']
async function write(tensors: Record<string, TestTensor> | Buffer, tokenizer: Buffer = tokenizerOf(WORDS)) {
  await writeFile(join(folder, 'tokenizer.json'), tokenizer)
  await writeFile(join(folder, 'model.safetensors'), Buffer.isBuffer(tensors) ? tensors : safetensors(tensors))
}
const vectors = [0, 0, 3, 4, 1, 0, 0, -2]
const near = (found: Float32Array | undefined, expected: number[]) =>
  expect([...(found ?? [])].map((value) => Math.round(value * 100) / 100)).toEqual(expected)

test('a text is the average of its tokens’ vectors, of length 1; unknown words count nothing', async () => {
  await write({ embeddings: float32([4, 2], vectors) })
  expect(await packModel({ folder })).toMatchObject({ dimension: 2, tokens: 4, licence: null })
  const [red, both, none] = await embedTexts({ folder, texts: ['Red', 'red, GREEN zebra', 'zebra'] })
  near(red, [0.6, 0.8])
  // (3 + 1, 4 + 0)
  near(both, [0.71, 0.71])
  near(none, [0, 0])
})

test('tokens may share rows and have weights of their own', async () => {
  await write({
    embeddings: float32([2, 2], [1, 0, 0, 1]),
    mapping: int32([0, 0, 1, 1]),
    weights: float32([4], [0, 3, 1, 4]),
  })
  await packModel({ folder })
  // 3 × (1, 0) + 4 × (0, 1)
  near((await embedTexts({ folder, texts: ['red blue'] }))[0], [0.6, 0.8])
})

test('numbers of two bytes and of one are read as the format has them', async () => {
  // 1.5 and -2 as binary16, and as the upper half of binary32
  const half = Buffer.from([0, 0x3e, 0, 0xc0])
  const upper = Buffer.from([0xc0, 0x3f, 0, 0xc0])
  for (const tensor of [
    { dtype: 'F16', shape: [2, 1], bytes: half },
    { dtype: 'BF16', shape: [2, 1], bytes: upper },
    { dtype: 'I8', shape: [2, 1], bytes: Buffer.from([3, 0xfc]) },
  ]) {
    await rm(join(folder, 'vectors.bin'), { force: true })
    await write({ embeddings: tensor, weights: float32([2], [1, 1]) }, tokenizerOf(['red']))
    expect(await packModel({ folder })).toMatchObject({ tokens: 2, dimension: 1 })
  }
})

test('the licence is the one that the model’s page states', async () => {
  await write({ embeddings: float32([4, 2], vectors) })
  await writeFile(join(folder, 'README.md'), '---\ntags: [x]\nlicense: "apache-2.0"\n---\nlicense: not this\n')
  expect((await packModel({ folder })).licence).toBe('apache-2.0')
})

test('what is no such model is refused with a sentence that says what is wrong', async () => {
  const good = safetensors({ embeddings: float32([4, 2], vectors) })
  const longHeader = Buffer.from(good)
  longHeader.writeBigUInt64LE(2n ** 60n)
  const cases: [RegExp, Buffer | Record<string, TestTensor>, Buffer?][] = [
    [/no file of that format/, Buffer.from('hello')],
    [/no file of that format/, longHeader],
    [/not all of it came/, good.subarray(0, good.length - 4)],
    [/no table of tokens/, { weights: float32([4], [1, 1, 1, 1]) }],
    [/which is no table/, { embeddings: float32([8], vectors) }],
    [/ends before its table/, { embeddings: { ...float32([4, 2], vectors), shape: [400, 2] } }],
    [/rows that it does not have/, { embeddings: float32([4, 2], vectors), mapping: int32([0, 1, 9, 3]) }],
    [/rows that it does not have/, { embeddings: float32([4, 2], vectors), mapping: int32([0, 1, -1, 3]) }],
    [/2 weights for 4 tokens/, { embeddings: float32([4, 2], vectors), weights: float32([2], [1, 1]) }],
    [/a vector that is none/, { embeddings: float32([4, 2], [...vectors.slice(1), Number.NaN]) }],
    [/tokenizer.json is no JSON/, good, Buffer.from('{"model"')],
    [/tokenizer.json is no tokenizer/, good, Buffer.from('{"vocab": {}}')],
    [/tokenizer.json can’t be used/, good, Buffer.from('{"model": {"type": "Magic"}}')],
  ]
  for (const [reason, tensors, tokenizer] of cases) {
    await write(tensors, tokenizer)
    await expect(packModel({ folder })).rejects.toThrow(reason)
  }
})
