import { z } from 'zod'
import type { Json } from '../../../../engine/values/json'
import type { Zone } from '../knowledge'
import { type Threshold, UNCALIBRATED } from './confidence'

/** The version of the evidence's definition: calibrations of other versions are invalid. */
export const CALIBRATION_FORM = 3

/** Of a chatbot (`chatbots.knowledge_calibration`): the evidence that unrelated questions reach with its chunks. */
const calibrationSchema = z.object({
  form: z.literal(CALIBRATION_FORM),
  words: z.object({ unsure: z.number(), sure: z.number() }),
  /** for an embedding model: the cosine of their nearest chunk */
  vectors: z.object({ model: z.string(), mean: z.number(), deviation: z.number() }).nullable(),
})
export type Calibration = z.infer<typeof calibrationSchema>

/** The stored calibration, otherwise the default. */
export const calibrationOf = (stored: Json): Calibration =>
  calibrationSchema.safeParse(stored).data ?? { form: CALIBRATION_FORM, words: UNCALIBRATED, vectors: null }

/** How many standard deviations a nearest chunk is above those of unrelated questions. */
const NEAR: Threshold = { unsure: 2.5, sure: 3.5 }

/** The evidence for an answer. */
export interface Evidence {
  /** by words (`evidenceOf`) */
  words: number
  /** of the nearest vector, with its model; null: no embeddings */
  cosine: { model: string; value: number } | null
}

/** Either words or embeddings suffice: a question in other words than the sources' is answered too. */
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
