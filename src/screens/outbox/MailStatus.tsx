import { useTranslation } from 'react-i18next'
import type { MailEntry } from '../../../server/contracts/mails'
import { Badge, type BadgeTone } from '../../ui/Badge'

const tones: Record<MailEntry['status'], BadgeTone> = {
  sent: 'success',
  failed: 'danger',
  outbox: 'neutral',
  sending: 'accent',
}

const deliveryTones: Record<NonNullable<MailEntry['delivery']>, BadgeTone> = {
  accepted: 'accent',
  deferred: 'warning',
  delivered: 'success',
  opened: 'success',
  bounced: 'danger',
  dropped: 'danger',
  spam: 'danger',
}

/** What became of a mail: what the delivery service told last, otherwise whether it was sent. */
export function MailStatus({ status, delivery }: Pick<MailEntry, 'status' | 'delivery'>) {
  const { t } = useTranslation('outbox')
  return (
    <Badge tone={delivery ? deliveryTones[delivery] : tones[status]} dot>
      {delivery ? t(`delivery.${delivery}`) : t(`status.${status}`)}
    </Badge>
  )
}
