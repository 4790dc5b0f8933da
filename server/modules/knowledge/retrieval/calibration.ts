import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import type { Zone } from '../knowledge'
import { type Threshold, UNCALIBRATED } from './confidence'

/** Evidence of another form has other numbers: what was measured of it counts no more. */
export const CALIBRATION_FORM = 2

/** Of a chatbot (`chatbots.knowledge_calibration`): what questions about other things reach with its chunks. */
const calibrationSchema = z.object({
  form: z.literal(CALIBRATION_FORM),
  words: z.object({ unsure: z.number(), sure: z.number() }),
  /** by a model of embeddings: the cosine of their nearest chunk */
  vectors: z.object({ model: z.string(), mean: z.number(), deviation: z.number() }).nullable(),
})
export type Calibration = z.infer<typeof calibrationSchema>

/** What was stored, or what holds until something is. */
export const calibrationOf = (stored: Json): Calibration =>
  calibrationSchema.safeParse(stored).data ?? { form: CALIBRATION_FORM, words: UNCALIBRATED, vectors: null }

/** A nearest chunk lies this many deviations above what unrelated questions have. */
const NEAR: Threshold = { unsure: 2.5, sure: 3.5 }

/** What speaks for an answer. */
export interface Evidence {
  /** of the words (`evidenceOf`) */
  words: number
  /** of the nearest vector, with its model; null: none was asked */
  cosine: { model: string; value: number } | null
}

/** Words or meaning may speak for it: who asks in other words than the sources have is answered too. */
export function judge({ words, cosine }: Evidence, calibration: Calibration): { zone: Zone; confidence: number } {
  const { unsure, sure } = calibration.words
  const ways = [{ above: words - unsure, room: sure - unsure }]
  const known = calibration.vectors
  if (cosine && known && cosine.model === known.model) {
    const distance = (cosine.value - known.mean) / Math.max(known.deviation, 0.01)
    ways.push({ above: distance - NEAR.unsure, room: NEAR.sure - NEAR.unsure })
  }
  const zones = ways.map(({ above, room }): Zone => (above < 0 ? 'unknown' : above < room ? 'unsure' : 'confident'))
  const zone = (['confident', 'unsure'] as const).find((one) => zones.includes(one)) ?? 'unknown'
  return { zone, confidence: 1 / (1 + Math.exp(-Math.max(...ways.map(({ above }) => above)))) }
}
