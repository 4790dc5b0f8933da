import { useTranslation } from 'react-i18next'
import type { MailEntry } from '../../../server/contracts/mails'
import { Badge, type BadgeTone } from '../../ui/Badge'

const tones: Record<MailEntry['status'], BadgeTone> = {
  sent: 'success',
  failed: 'danger',
  outbox: 'neutral',
  sending: 'accent',
}

export function MailStatus({ status }: { status: MailEntry['status'] }) {
  const { t } = useTranslation('outbox')
  return (
    <Badge tone={tones[status]} dot>
      {t(`status.${status}`)}
    </Badge>
  )
}
