import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { widgetLanguages } from '../../../engine/values/languages'
import { type InboxMessage, translateThread } from '../../../server/contracts/inbox'
import { useCan } from '../../api/account'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { inboxTranslatorQuery, translationsKey } from '../../api/inbox'

/** Messages that a model is asked for at once. */
const AT_ONCE = 20

export interface Translations {
  /** the model that translates; null: there is none */
  model: { name: string; credits: number } | null
  /** all that others say is translated as it comes */
  isOn: boolean
  toggle: () => void
  /** of a message, by its number: null where the model gave none; left out: not asked for */
  texts: Readonly<Record<number, string | null>>
  isBusy: (seq: number) => boolean
  translate: (seq: number) => void
  problem: string | null
}

/** The language that one reads, as translations name it. */
const ownLanguage = () => {
  const [base] = i18next.language.toLowerCase().split('-')
  const whole = i18next.language.toLowerCase()
  return widgetLanguages.find(({ code }) => code === whole) ?? widgetLanguages.find(({ code }) => code === base)
}

/** Messages of a conversation in one's own language, where there is a model: one by one, or all as they come. */
export function useTranslations(
  pgid: string,
  conversation: string,
  messages: readonly InboxMessage[],
  me: string | undefined,
): Translations {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const mayAsk = useCan('conversations.reply')
  const language = ownLanguage()?.code
  const { data: model = null } = useQuery({
    ...inboxTranslatorQuery(pgid, conversation),
    enabled: mayAsk && language !== undefined,
  })
  const key = translationsKey(pgid, conversation, language ?? '')
  const { data: texts = {} } = useQuery<Record<number, string | null>>({
    queryKey: key,
    queryFn: () => client.getQueryData<Record<number, string | null>>(key) ?? {},
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [isOn, setOn] = useState(false)
  const ask = useMutation({
    mutationFn: (seqs: number[]) =>
      callRoute(translateThread, {
        params: { pgid, conversation },
        body: { language: language ?? 'en', seqs },
      }),
    onSuccess: (answer, seqs) => {
      const found = Object.fromEntries(answer.messages.map(({ seq, text }) => [seq, text]))
      // what is too long for a model has none; what was left for the next time stays to be asked for
      const left = answer.messages.length === 0 ? Object.fromEntries(seqs.map((seq) => [seq, null])) : {}
      client.setQueryData<Record<number, string | null>>(key, (known) => ({ ...known, ...left, ...found }))
    },
    // what failed is not asked for again unless somebody wants it
    onError: () => setOn(false),
  })
  const wanted = messages.filter(
    ({ seq, content, sender }) =>
      !(seq in texts) && (content.kind === 'text' || content.kind === 'answer') && sender?.gid !== me,
  )
  const next = isOn && !ask.isPending ? wanted.slice(-AT_ONCE).map(({ seq }) => seq) : []
  const { mutate } = ask
  const waiting = next.join(' ')
  useEffect(() => {
    if (waiting) mutate(waiting.split(' ').map(Number))
  }, [waiting, mutate])
  return {
    model,
    isOn,
    toggle: () => {
      ask.reset()
      setOn(!isOn)
    },
    texts,
    isBusy: (seq) => ask.isPending && ask.variables.includes(seq),
    translate: useCallback((seq: number) => mutate([seq]), [mutate]),
    problem: ask.error ? failureText(ask.error, t('translation.failed')) : null,
  }
}
