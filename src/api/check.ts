import i18next from 'i18next'
import { z } from 'zod'
import { inOwnLanguage } from '../i18n/serverTexts'
import { ApiFailure } from './failure'

const failureData = z.union([
  z.string(),
  z.object({
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
  }),
])
const code = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined)

/**
 * The response check of SPEC.md 7: returns the envelope's `data`, or throws ApiFailure with the texts and codes of
 * SPEC.md 8 (2012 no data in the response, 2018 no success flag, 429, the server's own message and code).
 */
export function checkResponse(status: number, text: string): unknown {
  const envelope = parseObject(text)
  if (status === 429) {
    const said = envelope && code.parse(envelope.code)
    // the server may know that it takes longer than a minute
    const { message } = failureOf(envelope)
    throw new ApiFailure(message || i18next.t('errors.tooMany'), {
      status,
      code: said || '429',
    })
  }
  if (!envelope) throw new ApiFailure(i18next.t('errors.noData'), { status, code: '2012' })
  if (typeof envelope.success !== 'boolean')
    throw new ApiFailure(i18next.t('errors.noSuccess'), {
      status,
      code: '2018',
    })
  if (envelope.success) return envelope.data
  const data = failureOf(envelope)
  throw new ApiFailure(data.message || i18next.t('errors.message'), {
    ...data,
    status,
    code: code.parse(envelope.code),
  })
}

function failureOf(envelope: Record<string, unknown> | null) {
  const said = failureData.safeParse(envelope?.data)
  if (!said.success) return { message: '' }
  if (typeof said.data === 'string') return { message: inOwnLanguage(said.data) }
  const { message, fields } = said.data
  const translated = Object.entries(fields ?? {}).map(([field, text]) => [field, inOwnLanguage(text)] as const)
  return { message: inOwnLanguage(message), ...(fields && { fields: Object.fromEntries(translated) }) }
}

/** The failure of a call without a response. */
export const noResponse = (cause: unknown) => new ApiFailure(i18next.t('errors.noResponse'), { code: '2011', cause })

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
