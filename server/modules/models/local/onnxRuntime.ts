import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { InferenceSession } from 'onnxruntime-web/wasm'

/**
 * ONNX Runtime as WebAssembly, in the thread that asks for it: one core, no fetch, no file. Its program is read from
 * node_modules. Whatever a model does happens in memory of its own, of 1 GB at most: beyond it the runtime says that
 * it has none, and stays usable.
 */
const PAGES = 16_384
type Runtime = typeof import('onnxruntime-web/wasm')

let loaded: Promise<Runtime> | undefined

const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['wasm'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // texts differ in length: what was planned for one doesn't fit the next, and would be kept
  enableMemPattern: false,
  enableCpuMemArena: false,
  logSeverityLevel: 4,
}

/** @throws Error in the runtime's words if it is no model that it can run, or there is too little memory */
export async function openSession(model: Uint8Array): Promise<InferenceSession> {
  loaded ??= load()
  const { InferenceSession } = await loaded
  return withBoundedMemory(() => InferenceSession.create(model, OPTIONS))
}

/** A row of whole numbers for a model. */
export async function rowOf(numbers: readonly number[]) {
  loaded ??= load()
  const { Tensor } = await loaded
  return new Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, numbers.length])
}

async function load(): Promise<Runtime> {
  const runtime = await import('onnxruntime-web/wasm')
  const program = createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm')
  const { wasm } = runtime.env
  wasm.wasmBinary = await readFile(program)
  wasm.numThreads = 1
  wasm.proxy = false
  runtime.env.logLevel = 'fatal'
  return runtime
}

interface WantedMemory {
  initial: number
  /** pages of 64 KB */
  maximum?: number
}
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (wanted: WantedMemory) => object }
}

/**
 * The runtime creates its memory with the first session, and has no setting for how large it may become: what it asks
 * for is cut meanwhile.
 */
async function withBoundedMemory<Result>(create: () => Promise<Result>): Promise<Result> {
  const { Memory } = WebAssembly
  WebAssembly.Memory = class extends Memory {
    constructor({ maximum, ...wanted }: WantedMemory) {
      super({ ...wanted, ...(maximum !== undefined && { maximum: Math.min(maximum, PAGES) }) })
    }
  }
  try {
    return await create()
  } finally {
    WebAssembly.Memory = Memory
  }
}
