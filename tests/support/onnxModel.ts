import { tokenizerOf } from './localModel'

/**
 * Small ONNX models, written as the format has them: protocol buffers. Source: onnx.proto3, whose fields have the
 * numbers that stand here.
 */
type Part = Buffer

const varint = (value: number): Part => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Buffer.from([...bytes, Number(rest)])
}
const number = (field: number, value: number): Part => Buffer.concat([varint(field << 3), varint(value)])
const bytes = (field: number, ...parts: readonly (Part | string)[]): Part => {
  const all = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([varint((field << 3) | 2), varint(all.length), all])
}

const FLOAT = 1
const INT64 = 7

const tensor = (name: string, kind: number, shape: readonly number[], data: Part): Part =>
  bytes(5, ...shape.map((side) => number(1, side)), number(2, kind), bytes(8, name), bytes(9, data))
const floats = (name: string, shape: readonly number[], values: readonly number[]): Part =>
  tensor(name, FLOAT, shape, Buffer.from(Float32Array.from(values).buffer))
const longs = (name: string, values: readonly number[]): Part =>
  tensor(name, INT64, [values.length], Buffer.from(BigInt64Array.from(values, BigInt).buffer))

/** Attributes are whole numbers, which is all that these operators have. */
const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: Record<string, number> = {},
): Part =>
  bytes(
    1,
    ...inputs.map((input) => bytes(1, input)),
    bytes(2, output),
    bytes(4, operator),
    // 20: the attribute's type, of which 2 is a whole number
    ...Object.entries(attributes).map(([name, value]) => bytes(5, bytes(1, name), number(3, value), number(20, 2))),
  )

/** A value of the graph, by the names or sizes of its sides. */
const value = (field: 11 | 12, name: string, kind: number, sides: readonly (string | number)[]): Part => {
  const shape = sides.map((side) => bytes(1, typeof side === 'number' ? number(1, side) : bytes(2, side)))
  return bytes(field, bytes(1, name), bytes(2, bytes(1, number(1, kind), bytes(2, ...shape))))
}

export interface OnnxOptions {
  /** numbers per token */
  rows: readonly (readonly number[])[]
  /** whether it pools by itself, and gives a vector per text; else one per token */
  pooled?: boolean
  /** names of further inputs that it wants */
  inputs?: readonly string[]
  /** bytes that it takes per token while it runs */
  hunger?: number
}

/** A model that looks each token up in a table and, pooled, averages them by the mask. */
export function onnxModel({ rows, pooled = false, inputs = [], hunger = 0 }: OnnxOptions): Buffer {
  const dimension = rows[0]?.length ?? 0
  const looked = hunger > 0 ? 'looked' : pooled ? 'tokens' : 'last_hidden_state'
  const perToken = pooled ? 'tokens' : 'last_hidden_state'
  const eating = [
    longs('bite', [1, hunger / 4]),
    node('Shape', ['input_ids'], 'shape'),
    node('Mul', ['shape', 'bite'], 'much'),
    node('ConstantOfShape', ['much'], 'zeros'),
    node('ReduceSum', ['zeros'], 'nothing', { keepdims: 0 }),
    node('Add', ['looked', 'nothing'], perToken),
  ]
  const pooling = [
    longs('last', [-1]),
    longs('second', [1]),
    // 1: as floats
    node('Cast', ['attention_mask'], 'mask', { to: FLOAT }),
    node('Unsqueeze', ['mask', 'last'], 'column'),
    node('Mul', ['tokens', 'column'], 'counted'),
    node('ReduceSum', ['counted', 'second'], 'sum', { keepdims: 0 }),
    node('ReduceSum', ['column', 'second'], 'count', { keepdims: 0 }),
    node('Div', ['sum', 'count'], 'sentence_embedding'),
  ]
  const graph = [
    node('Gather', ['table', 'input_ids'], looked),
    ...(hunger > 0 ? eating : []),
    ...(pooled ? pooling : []),
    bytes(2, 'small'),
    floats('table', [rows.length, dimension], rows.flat()),
    ...['input_ids', 'attention_mask', ...inputs].map((name) => value(11, name, INT64, ['texts', 'tokens'])),
    pooled
      ? value(12, 'sentence_embedding', FLOAT, ['texts', dimension])
      : value(12, perToken, FLOAT, ['texts', 'tokens', dimension]),
  ]
  return Buffer.concat([number(1, 8), bytes(2, 'tests'), bytes(7, ...graph), bytes(8, bytes(1, ''), number(2, 13))])
}

/** The files of a model whose words point where their meaning does, as a page of transformers has them. */
export function onnxFiles(groups: readonly (readonly string[])[], options: Partial<OnnxOptions> = {}) {
  const words = groups.flat()
  const none = groups.map(() => 0)
  const rows = words.map((word) => groups.map((group) => (group.includes(word) ? 1 : 0)))
  return {
    'README.md': Buffer.from('---\nlicense: mit\n---\n# A transformer\n'),
    'config.json': Buffer.from('{"model_type": "bert", "max_position_embeddings": 64}'),
    'tokenizer.json': tokenizerOf(words),
    'onnx/model.onnx': onnxModel({ rows: [none, ...rows], ...options }),
  }
}
