import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshAccount } from '../../api/account'
import { useFlowState } from '../../collab/useFlow'
import { notify } from '../../ui/notify'

/**
 * Says when the right to change the flow comes or goes while it is open; what was not stored because of it is stranded.
 */
export function RightsNotice() {
  const { t } = useTranslation('builder')
  const readOnly = useFlowState((state) => state.readOnly)
  const refusal = useFlowState((state) => state.refusal)
  const before = useRef(readOnly)
  useEffect(() => {
    if (before.current === readOnly || refusal) return
    before.current = readOnly
    if (!readOnly) notify.success(t('rights.raised'))
    else notify.neutral(t('rights.lowered'))
    // what else the roles allow is another now
    void refreshAccount()
  }, [readOnly, refusal, t])
  return null
}
