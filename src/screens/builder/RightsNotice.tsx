import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshAccount } from '../../api/account'
import { useFlowState } from '../../collab/useFlow'
import { notify } from '../../ui/notify'

/**
 * Shows when the right to edit changes while the flow is open; edits that were not stored because of it are stranded.
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
    // other rights have changed as well
    void refreshAccount()
  }, [readOnly, refusal, t])
  return null
}
