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
import { messageKey } from './thread'

/** Messages that a model is asked for at once. */
const AT_ONCE = 20

export interface Translations {
  /** the model that translates; null: there is none */
  model: { name: string; credits: number } | null
  /** all that others say is translated as it comes */
  isOn: boolean
  toggle: () => void
  /** of a message, by its key: null where the model gave none; left out: not asked for */
  texts: Readonly<Record<string, string | null>>
  isBusy: (message: Named) => boolean
  translate: (message: Named) => void
  problem: string | null
}

type Named = Pick<InboxMessage, 'of' | 'seq'>
/** Messages of one conversation of a thread: its own, or a merged one's. */
interface Asked {
  of: string | undefined
  seqs: number[]
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
  const { data: texts = {} } = useQuery<Record<string, string | null>>({
    queryKey: key,
    queryFn: () => client.getQueryData<Record<string, string | null>>(key) ?? {},
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [isOn, setOn] = useState(false)
  const ask = useMutation({
    mutationFn: ({ of, seqs }: Asked) =>
      callRoute(translateThread, {
        params: { pgid, conversation: of ?? conversation },
        body: { language: language ?? 'en', seqs },
      }),
    onSuccess: (answer, { of, seqs }) => {
      const found = Object.fromEntries(answer.messages.map(({ seq, text }) => [messageKey({ of, seq }), text]))
      // what is too long for a model has none; what was left for the next time stays to be asked for
      const left =
        answer.messages.length === 0 ? Object.fromEntries(seqs.map((seq) => [messageKey({ of, seq }), null])) : {}
      client.setQueryData<Record<string, string | null>>(key, (known) => ({ ...known, ...left, ...found }))
    },
    // what failed is not asked for again unless somebody wants it
    onError: () => setOn(false),
  })
  const wanted = messages.filter(
    ({ of, seq, content, sender }) =>
      !(messageKey({ of, seq }) in texts) &&
      (content.kind === 'text' || content.kind === 'answer') &&
      sender?.gid !== me,
  )
  // one request is of one conversation
  const of = wanted.at(-1)?.of
  const next = isOn && !ask.isPending ? wanted.filter((one) => one.of === of).slice(-AT_ONCE) : []
  const { mutate } = ask
  const waiting = next.map(({ seq }) => seq).join(' ')
  useEffect(() => {
    if (waiting) mutate({ of, seqs: waiting.split(' ').map(Number) })
  }, [waiting, of, mutate])
  return {
    model,
    isOn,
    toggle: () => {
      ask.reset()
      setOn(!isOn)
    },
    texts,
    isBusy: ({ of, seq }) => ask.isPending && ask.variables.of === of && ask.variables.seqs.includes(seq),
    translate: useCallback(({ of, seq }: Named) => mutate({ of, seqs: [seq] }), [mutate]),
    problem: ask.error ? failureText(ask.error, t('translation.failed')) : null,
  }
}
