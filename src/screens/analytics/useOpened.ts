import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { figureNames } from '../../../server/contracts/analytics'
import type { Drilled } from '../../api/analytics'

/** What a link of a weekly mail opens: the conversations of a figure, or the settings of these mails. */
export function useOpened() {
  const [search, setSearch] = useSearchParams()
  // where visitors left or came wants a block beside it
  const figure = figureNames.find((name) => name !== 'left' && name !== 'reached' && name === search.get('figure'))
  const wording = search.get('wording')
  const [drilled, setDrilled] = useState<Drilled | null>(figure ? { figure, ...(wording && { wording }) } : null)
  const [weekly, setWeekly] = useState(search.has('weekly'))
  /** The address says it once: a reload does not open again what was closed. */
  const forget = () =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const name of ['figure', 'wording', 'weekly']) next.delete(name)
        return next
      },
      { replace: true },
    )
  return {
    ...{ drilled, setDrilled, weekly, openWeekly: () => setWeekly(true) },
    close() {
      setDrilled(null)
      setWeekly(false)
      forget()
    },
  }
}
