import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Numbers of a table as they lie in a safetensors file. */
export interface TestTensor {
  dtype: string
  shape: number[]
  bytes: Buffer
}

export const float32 = (shape: number[], values: number[]): TestTensor => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeFloatLE(value, at * 4)
  return { dtype: 'F32', shape, bytes }
}
export const int32 = (values: number[]): TestTensor => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeInt32LE(value, at * 4)
  return { dtype: 'I32', shape: [values.length], bytes }
}

/** A safetensors file. */
export function safetensors(tensors: Record<string, TestTensor>): Buffer {
  let end = 0
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
      const start = end
      end += bytes.length
      return [name, { dtype, shape, data_offsets: [start, end] }]
    }),
  )
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ bytes }) => bytes)])
}

/**
 * A tokenizer of whole words (WordPiece), with `[UNK]` as token 0.
 * @param frame words that stand before and after each text, if wanted
 */
export function tokenizerOf(words: readonly string[], frame: readonly [string, string] | null = null): Buffer {
  const vocab = Object.fromEntries(['[UNK]', ...words].map((word, id) => [word, id]))
  const tokenOf = (word: string) => [word, vocab[word]]
  const json = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: frame && { type: 'BertProcessing', cls: tokenOf(frame[0]), sep: tokenOf(frame[1]) },
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  }
  return Buffer.from(JSON.stringify(json))
}

/**
 * A model whose words point where their meaning does: words of one group have the same direction.
 * @param padding bytes of a table that nobody reads
 */
export function modelOf(groups: readonly (readonly string[])[], padding = 0): Record<string, Buffer> {
  const words = groups.flat()
  const rows = words.map((word) => groups.map((group) => (group.includes(word) ? 1 : 0)))
  const none = groups.map(() => 0)
  return {
    'README.md': Buffer.from('---\nlibrary_name: model2vec\nlicense: mit\n---\n# A model\n'),
    'tokenizer.json': tokenizerOf(words),
    'model.safetensors': safetensors({
      embeddings: float32([words.length + 1, groups.length], [...none, ...rows.flat()]),
      ...(padding > 0 && { padding: { dtype: 'I8', shape: [padding], bytes: Buffer.alloc(padding) } }),
    }),
  }
}

export interface FileServer {
  /** of the folder, without a slash at its end */
  url: string
  files: Record<string, Buffer>
  /** the calls, as `name` or `name from-` for a part */
  calls: string[]
  /** ends the connection after so many bytes of that file, once */
  breakAfter(name: string, bytes: number): void
  close(): Promise<void>
}

const ROOT = '/models/small/'

/** A server of a folder that knows ranges and tags, as those of models do. */
export async function serveFiles(files: Record<string, Buffer>): Promise<FileServer> {
  let broken: { name: string; bytes: number } | null = null
  const state: FileServer = {
    url: '',
    files,
    calls: [],
    breakAfter: (name, bytes) => {
      broken = { name, bytes }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const server = createServer((request, response) => {
    const { url = '' } = request
    const name = url.startsWith(ROOT) ? url.slice(ROOT.length) : (url.split('/').at(-1) ?? '')
    const whole = state.files[name]
    if (!whole) {
      response.writeHead(404).end()
      return
    }
    const tag = `"${createHash('sha256').update(whole).digest('hex').slice(0, 16)}"`
    const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
    const start = from && request.headers['if-range'] === tag ? Number(from) : 0
    state.calls.push(start > 0 ? `${name} ${start}-` : name)
    const rest = whole.subarray(start)
    response.writeHead(start > 0 ? 206 : 200, {
      etag: tag,
      'content-length': rest.length,
      ...(start > 0 && { 'content-range': `bytes ${start}-${whole.length - 1}/${whole.length}` }),
    })
    if (broken?.name === name) {
      // what was written arrives before the end
      response.write(rest.subarray(0, broken.bytes), () => response.socket?.end())
      broken = null
      return
    }
    response.end(rest)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${ROOT.slice(0, -1)}`
  return state
}
