import type { TFunction } from 'i18next'
import type { Exchange } from '../../answers/useAsking'

/** A conversation as plain text, each answer with its numbered sources. */
export const transcriptOf = (exchanges: readonly Exchange[], t: TFunction<'playground'>): string =>
  exchanges
    .map(({ question, text, answer }) => {
      const sources = answer?.citations.map(({ number, title, url }) => `[${number}] ${title}${url ? ` ${url}` : ''}`)
      return [`${t('transcript.you')} ${question}`, `${t('transcript.bot')} ${text}`, ...(sources ?? [])].join('\n')
    })
    .join('\n\n')
