import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database'
import { HEAD, quantised } from './quantise'

/** Vectors of a chatbot's chunks, one byte per component. The search is exact: it compares all of them. */
export class VectorIndex {
  readonly #ids: Float64Array
  readonly #scales: Float32Array
  readonly #codes: Int8Array
  readonly #dimension: number

  constructor(rows: readonly { id: number; embedding: Buffer }[]) {
    this.#dimension = Math.max(0, (rows[0]?.embedding.length ?? HEAD) - HEAD)
    // skip vectors of another dimension: the model may have changed under the same name
    const fit = rows.filter(({ embedding }) => embedding.length === this.#dimension + HEAD)
    this.#ids = Float64Array.from(fit, ({ id }) => id)
    this.#scales = Float32Array.from(fit, ({ embedding }) => embedding.readFloatLE(0))
    this.#codes = new Int8Array(fit.length * this.#dimension)
    for (const [at, { embedding }] of fit.entries())
      this.#codes.set(
        new Int8Array(embedding.buffer, embedding.byteOffset + HEAD, this.#dimension),
        at * this.#dimension,
      )
  }

  get size(): number {
    return this.#ids.length
  }
  get bytes(): number {
    return this.#codes.byteLength + this.#scales.byteLength + this.#ids.byteLength
  }

  /** The nearest vectors with their cosine, best first. Empty for a vector of another dimension. */
  async search(vector: Float32Array, limit: number): Promise<{ id: number; score: number }[]> {
    if (vector.length !== this.#dimension) return []
    const asked = quantised(vector)
    const top: { id: number; score: number }[] = []
    const dimension = this.#dimension
    for (let at = 0; at < this.size; at++) {
      if (at % STEP === STEP - 1) await new Promise((resolve) => setImmediate(resolve))
      let sum = 0
      const start = at * dimension
      for (let place = 0; place < dimension; place++)
        sum += (asked.codes[place] as number) * (this.#codes[start + place] as number)
      const score = sum * asked.scale * (this.#scales[at] as number)
      if (top.length === limit && score <= (top.at(-1)?.score ?? 0)) continue
      const before = top.findIndex((other) => other.score < score)
      top.splice(before < 0 ? top.length : before, 0, { id: this.#ids[at] as number, score })
      if (top.length > limit) top.pop()
    }
    return top
  }
}

/** Vectors compared between two pauses: some ms. */
const STEP = 5_000
const PAGE = 1_000

/** Loads the vectors of one model. */
export async function loadVectors(
  db: Db,
  { projectId, chatbotId }: { projectId: string; chatbotId: string },
  model: string,
): Promise<VectorIndex> {
  const rows: { id: number; embedding: Buffer }[] = []
  for (let after = '0'; ; ) {
    const page = await db
      .selectFrom('knowledge_chunks')
      .select(['id', sql<Buffer>`embedding`.as('embedding')])
      .where('project_id', '=', projectId)
      .where('chatbot_id', '=', chatbotId)
      .where('embedding_model', '=', model)
      .where('embedding', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { id, embedding } of page) rows.push({ id: Number(id), embedding })
    const last = page.at(-1)
    if (!last || page.length < PAGE) return new VectorIndex(rows)
    after = last.id
  }
}
