import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { WhatsappKeys } from '../../contracts/whatsapp'
import { fieldError } from '../../platform/errors'
import { AnswerLost, type Graph } from './graph'
import { GraphError } from './graphError'

const numberSchema = z.object({
  display_phone_number: z.string().max(60),
  verified_name: z.string().max(255).catch(''),
  quality_rating: z.string().max(40).catch(''),
})
export type NumberInfo = z.infer<typeof numberSchema>

/** What WhatsApp says of a number. @throws GraphError, AnswerLost */
export async function readNumber(graph: Graph, token: string, numberId: string): Promise<NumberInfo> {
  const answer = await graph.get(token, `${numberId}?fields=display_phone_number,verified_name,quality_rating`)
  const info = numberSchema.safeParse(answer).data
  if (!info) throw new GraphError(null, 'drop', `${numberId} is no phone number of WhatsApp.`)
  return info
}

/**
 * Tries the values at WhatsApp in the order of the form, so that what is wrong is shown where it was typed: the token
 * and the number, the account, the PIN by registering the number.
 * @throws ApiError invalid, at the field
 */
export async function tryKeys(graph: Graph, keys: WhatsappKeys): Promise<NumberInfo> {
  const info = await at('number_id', () => readNumber(graph, keys.token, keys.number_id))
  await at('business_id', () => graph.get(keys.token, `${keys.business_id}/phone_numbers`))
  await at('pin', () =>
    graph.post(keys.token, `${keys.number_id}/register`, { messaging_product: 'whatsapp', pin: keys.pin }),
  )
  return info
}

/**
 * Has WhatsApp send what people write to our address. It calls the address at once, so what it is verified by has to be
 * stored before. @throws ApiError invalid, at the field
 */
export const subscribe = (graph: Graph, keys: WhatsappKeys, webhook: string, verify: string): Promise<unknown> =>
  at('business_id', () =>
    graph.post(keys.token, `${keys.business_id}/subscribed_apps`, {
      override_callback_uri: webhook,
      verify_token: verify,
    }),
  )

export const newVerifyToken = (): string => randomBytes(24).toString('base64url')

/** A refused token is wrong wherever it shows. */
async function at<Result>(field: keyof WhatsappKeys, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task()
  } catch (error) {
    if (error instanceof AnswerLost) throw fieldError(field, `WhatsApp could not be reached: ${error.message}`)
    if (!(error instanceof GraphError)) throw error
    throw fieldError(error.code === 190 ? 'token' : field, error.message)
  }
}
