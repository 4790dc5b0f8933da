import { useTranslation } from 'react-i18next'
import type { SourceStatus } from '../../../server/contracts/sources'
import { Badge, type BadgeTone } from '../../ui/Badge'

const tones: Record<SourceStatus, BadgeTone> = {
  queued: 'neutral',
  reading: 'accent',
  training: 'accent',
  ready: 'success',
  error: 'danger',
  stopped: 'warning',
}

export function SourceStatusBadge({ status }: { status: SourceStatus }) {
  const { t } = useTranslation('sources')
  return (
    <Badge dot tone={tones[status]}>
      {t(`status.${status}`)}
    </Badge>
  )
}
