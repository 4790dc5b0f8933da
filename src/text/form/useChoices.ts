import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Choice, ChoiceQuery } from '../../../server/contracts/integrations'
import { useFlowScope } from '../flowScope'

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
  const [reloads, setReloads] = useState(0)
  const of = JSON.stringify(within)
  const isReady = isOn && connection !== null && !within.includes('')
  useEffect(() => {
    if (!isReady || !ask) return setListed(NOTHING)
    const gone = new AbortController()
    setListed((before) => ({ ...before, isLoading: true }))
    ask(connection, { list, within: JSON.parse(of), search, reload: reloads > 0 }, gone.signal).then(
      ({ choices, problem, fetched_at }) => setListed({ choices, problem, fetchedAt: fetched_at, isLoading: false }),
      (error: unknown) => {
        if (gone.signal.aborted) return
        const problem = error instanceof Error ? error.message : t('choices.failed')
        setListed((before) => ({ ...before, problem, isLoading: false }))
      },
    )
    return () => gone.abort()
  }, [ask, isReady, connection, list, of, search, reloads, t])
  return { ...listed, reload: () => setReloads((count) => count + 1) }
}

interface Listed {
  choices: readonly Choice[]
  problem: string | null
  fetchedAt: string | null
  isLoading: boolean
}
const NOTHING: Listed = { choices: [], problem: null, fetchedAt: null, isLoading: false }
