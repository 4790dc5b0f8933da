import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tokenizerOf } from '../../../../tests/support/localModel'
import { type OnnxOptions, onnxModel } from '../../../../tests/support/onnxModel'
import { embedTexts } from './embedTexts'
import { packModel } from './packModel'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onnx-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** [UNK], red, green, blue, and two that frame a text */
const WORDS = ['red', 'green', 'blue', '[CLS]', '[SEP]']
const rows = [
  [0, 0],
  [3, 4],
  [1, 0],
  [0, -2],
  [5, 12],
  [0, 0],
]
const put = (name: string, content: Buffer | string) => writeFile(join(folder, name), content)
async function write(options: Partial<OnnxOptions> | Buffer = {}, tokenizer: Buffer = tokenizerOf(WORDS)) {
  await put('tokenizer.json', tokenizer)
  await put('model.onnx', Buffer.isBuffer(options) ? options : onnxModel({ rows, ...options }))
}
const near = (found: Float32Array | undefined, expected: number[]) =>
  expect([...(found ?? [])].map((value) => Math.round(value * 100) / 100)).toEqual(expected)

test('a text is the average of the vectors that a transformer gives its tokens, of length 1', async () => {
  await write()
  await put('README.md', '---\nlicense: apache-2.0\n---\n')
  expect(await packModel({ folder })).toEqual({
    kind: 'onnx',
    dimension: 2,
    tokens: 6,
    licence: 'apache-2.0',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const [red, both, none] = await embedTexts({ folder, texts: ['Red', 'red, GREEN', ''] })
  near(red, [0.6, 0.8])
  // (3 + 1, 4 + 0), and 0 for the comma
  near(both, [0.71, 0.71])
  near(none, [0, 0])
})

test('a model that pools by itself gives its own vector, and is told what it asks for', async () => {
  await write({ pooled: true, inputs: ['token_type_ids'] })
  expect(await packModel({ folder })).toMatchObject({ dimension: 2 })
  near((await embedTexts({ folder, texts: ['red green'] }))[0], [0.71, 0.71])
})

test('tokens around a text count, the first one alone where a model wants that', async () => {
  await write({}, tokenizerOf(WORDS, ['[CLS]', '[SEP]']))
  await packModel({ folder })
  near((await embedTexts({ folder, texts: ['blue'], pooling: 'first' }))[0], [0.38, 0.92])
  // (5 + 0 + 0, 12 - 2 + 0)
  near((await embedTexts({ folder, texts: ['blue'] }))[0], [0.45, 0.89])
})

test('a longer text is cut at what the model was trained with, and keeps the token at its end', async () => {
  await put('config.json', '{"max_position_embeddings": 8}')
  await write({ rows: [...rows.slice(0, 5), [0, 60]] }, tokenizerOf(WORDS, ['[CLS]', '[SEP]']))
  const [cut] = await embedTexts({ folder, texts: ['green '.repeat(500)] })
  // [CLS], six times green, [SEP]: (5 + 6, 12 + 60)
  near(cut, [0.15, 0.99])
})

test('what is no embedding model is refused with a sentence that says what is wrong', async () => {
  const cases: [RegExp, Partial<OnnxOptions> | Buffer, Buffer?][] = [
    [/model\.onnx can’t be run: .*protobuf/, Buffer.from('not a model at all')],
    [/model\.onnx can’t be run: /, onnxModel({ rows }).subarray(0, 90)],
    [/wants "pixel_values", which texts don’t have/, { inputs: ['pixel_values'] }],
    // the tokenizer knows more tokens than the table has
    [/model\.onnx can’t be run: .*out of data bounds/, { rows: [] }],
    [/tokenizer\.json is no tokenizer/, {}, Buffer.from('{}')],
  ]
  for (const [reason, model, tokenizer] of cases) {
    await write(model, tokenizer)
    await expect(packModel({ folder })).rejects.toThrow(reason)
  }
})

test('a model that wants more than its memory is refused, and the next one works', async () => {
  // 1.3 GB for three words
  await write({ hunger: 440_000_000 })
  await expect(packModel({ folder })).rejects.toThrow(/takes more memory than there is/)
  await write()
  expect(await packModel({ folder })).toMatchObject({ dimension: 2 })
})
