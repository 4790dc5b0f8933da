import i18next from 'i18next'
import type { z } from 'zod'
import { askChatbot, type TriedAnswer, triedAnswerSchema } from '../../server/contracts/answers'
import { streamRoute } from './client'
import { ApiFailure } from './failure'

export type AskBody = z.infer<typeof askChatbot.body>

interface Ask {
  pgid: string
  cgid: string
  body: AskBody
  signal: AbortSignal
  /** called with the whole text so far */
  onText: (text: string) => void
}

/** Asks a chatbot. Throws ApiFailure if it can't answer or the connection breaks, and the signal's reason. */
export async function ask({ pgid, cgid, body, signal, onText }: Ask): Promise<TriedAnswer> {
  let text = ''
  let answer: TriedAnswer | null = null
  let failure: string | null = null
  await streamRoute(askChatbot, { params: { pgid, cgid }, body, signal }, ({ event, data }) => {
    const value: unknown = JSON.parse(data)
    if (event === 'text') {
      text += (value as { delta: string }).delta
      onText(text)
    }
    if (event === 'answer') answer = triedAnswerSchema.parse(value)
    if (event === 'failed') failure = (value as { message: string }).message
  })
  if (failure !== null) throw new ApiFailure(failure)
  if (answer === null) throw new ApiFailure(i18next.t('errors.noResponse'), { code: '2011' })
  return answer
}
