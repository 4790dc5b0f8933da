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

/** How many people the number may write to first in a day, as its account says; empty: it does not say. */
export async function readTier(graph: Graph, token: string, business: string, numberId: string): Promise<string> {
  const answer = await graph
    .get(token, `${business}/phone_numbers?fields=id,messaging_limit_tier&limit=100`)
    .catch(() => null)
  const { data } = z
    .object({ data: z.array(z.object({ id: z.string(), messaging_limit_tier: z.string().max(40).catch('') })) })
    .catch({ data: [] })
    .parse(answer)
  return data.find(({ id }) => id === numberId)?.messaging_limit_tier ?? ''
}

const tokenSchema = z.object({
  data: z.object({
    app_id: z.string().catch(''),
    application: z.string().max(255).catch(''),
    is_valid: z.boolean(),
    scopes: z.array(z.string()).max(200).catch([]),
  }),
})
const SCOPES = ['whatsapp_business_messaging', 'whatsapp_business_management'] as const

/**
 * Tries whether an app's id, its secret and a token belong together, and whether the token may do what is needed.
 * @returns the app's name @throws ApiError invalid, at the field
 */
export async function tryApp(
  graph: Graph,
  { app_id, app_secret, token }: Pick<WhatsappKeys, 'app_id' | 'app_secret' | 'token'>,
): Promise<string> {
  // asked in the name of the app, which proves its secret
  const asked = graph.get(`${app_id}|${app_secret}`, `debug_token?${new URLSearchParams({ input_token: token })}`)
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof GraphError && error.code === 100) throw fieldError('token', error.message)
    return at('app_secret', () => Promise.reject(error), 'app_secret')
  })
  const found = tokenSchema.safeParse(answer).data?.data
  if (!found?.is_valid) throw fieldError('token', 'WhatsApp does not take this token any more.')
  if (found.app_id !== app_id) throw fieldError('token', 'This token is one of another app.')
  const missing = SCOPES.filter((scope) => !found.scopes.includes(scope))
  if (missing.length > 0) throw fieldError('token', `This token may not do what is needed: ${missing.join(', ')}.`)
  return found.application
}

/** Tries whether an account and a number are there for a token. @throws ApiError invalid, at the field */
export async function tryNumber(
  graph: Graph,
  { token, number_id, business_id }: Pick<WhatsappKeys, 'token' | 'number_id' | 'business_id'>,
): Promise<NumberInfo> {
  const info = await at('number_id', () => readNumber(graph, token, number_id))
  await at('business_id', () => graph.get(token, `${business_id}/phone_numbers`))
  return info
}

const subscribedSchema = z.object({
  data: z
    .array(
      z.object({
        id: z.string().optional().catch(undefined),
        whatsapp_business_api_data: z.object({ id: z.string() }).optional().catch(undefined),
      }),
    )
    .max(1_000),
})

/**
 * Whether WhatsApp sends what people write to this app. Meta's document has the app's id one level higher than its
 * server has it; an answer of another form says nothing against it. @throws GraphError, AnswerLost
 */
export async function isSubscribed(graph: Graph, token: string, business: string, appId: string): Promise<boolean> {
  const apps = subscribedSchema.safeParse(await graph.get(token, `${business}/subscribed_apps`)).data?.data
  return !apps || apps.some(({ id, whatsapp_business_api_data: inner }) => id === appId || inner?.id === appId)
}

/**
 * Tries the values at WhatsApp in the order of the form, so that what is wrong is shown where it was typed: the token
 * and the number, the account, the PIN by registering the number.
 * @throws ApiError invalid, at the field
 */
export async function tryKeys(graph: Graph, keys: WhatsappKeys): Promise<NumberInfo> {
  const info = await tryNumber(graph, keys)
  await tryPin(graph, keys)
  return info
}

/**
 * Registers a number with its PIN, which is the only way to try it: one that has none yet is given this one, and one
 * that is registered stays so. @throws ApiError invalid, at the field
 */
export const tryPin = (
  graph: Graph,
  { token, number_id, pin }: Pick<WhatsappKeys, 'token' | 'number_id' | 'pin'>,
): Promise<unknown> =>
  at('pin', () => graph.post(token, `${number_id}/register`, { messaging_product: 'whatsapp', pin }))

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

/** @param refused where a refused token is shown: wrong wherever it shows, unless it is none of the form's */
async function at<Result>(
  field: keyof WhatsappKeys,
  task: () => Promise<Result>,
  refused: keyof WhatsappKeys = 'token',
): Promise<Result> {
  try {
    return await task()
  } catch (error) {
    if (error instanceof AnswerLost) throw fieldError(field, `WhatsApp could not be reached: ${error.message}`)
    if (!(error instanceof GraphError)) throw error
    throw fieldError(error.code === 190 ? refused : field, error.message)
  }
}
