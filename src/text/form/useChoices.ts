import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Choice, ChoiceQuery } from '../../../server/contracts/integrations'
import { useFlowScope } from '../flowScope'
import { watchChoices } from './sharedChoices'

/** Which list a vendor is asked for, and of what. */
export interface ChoiceSource {
  connection: string | null
  list: ChoiceQuery['list']
  within: readonly string[]
}

/** What the vendor offers; asked when the source or the search changes, and on `reload`. */
export function useChoices({ connection, list, within }: ChoiceSource, search: string, isOn: boolean) {
  const { t } = useTranslation('text')
  const { connections } = useFlowScope()
  const ask = connections?.choices
  const [listed, setListed] = useState<Listed>(NOTHING)
  const reload = useRef(() => {})
  const of = JSON.stringify(within)
  const isReady = isOn && connection !== null && !within.includes('')
  useEffect(() => {
    if (!isReady || !ask) return setListed(NOTHING)
    const watched = watchChoices(ask, { connection, list, within: JSON.parse(of), search }, (state) =>
      setListed((before) => {
        const { answer, error, isLoading } = state
        // until it is answered, what was there stays
        const { choices, problem, fetched_at } = answer ?? { ...before, fetched_at: before.fetchedAt }
        const failure = error && (error.cause instanceof Error ? error.cause.message : t('choices.failed'))
        return { choices, problem: failure ?? problem, fetchedAt: fetched_at, isLoading }
      }),
    )
    reload.current = watched.reload
    return watched.leave
  }, [ask, isReady, connection, list, of, search, t])
  return { ...listed, reload: () => reload.current() }
}

interface Listed {
  choices: readonly Choice[]
  problem: string | null
  fetchedAt: string | null
  isLoading: boolean
}
const NOTHING: Listed = { choices: [], problem: null, fetchedAt: null, isLoading: false }
