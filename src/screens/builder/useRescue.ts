import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOfflineState } from '../../collab/useFlow'
import { formatMoment } from '../../i18n/format'
import { notify } from '../../ui/notify'

/** Shows what was restored; and whether there are edits that can't be sent, until the user postpones. */
export function useRescue() {
  const { t } = useTranslation('offline')
  const back = useOfflineState((state) => state.broughtBack)
  const stranded = useOfflineState((state) => state.stranded !== null)
  const [later, setLater] = useState(false)
  useEffect(() => {
    if (back) notify.neutral(t('broughtBack', { count: back.edits, since: formatMoment(new Date(back.since)) }))
  }, [back, t])
  return {
    opened: stranded && !later,
    onClose: () => setLater(true),
    onRescue: stranded ? () => setLater(false) : null,
  }
}
