import { useTranslation } from 'react-i18next'
import { INVITATION_DAYS, type SentInvitation } from '../../../server/contracts/members'
import { Badge, type BadgeTone } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { CopyField } from '../../ui/CopyField'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import styles from './members.module.css'

const tones: Record<SentInvitation['mail'], BadgeTone> = { sent: 'success', outbox: 'neutral', failed: 'danger' }

/** The results of invitations with their links: shown only once, since the server does not store links. */
export function SentDialog({ sent, onClose }: { sent: SentInvitation[]; onClose: () => void }) {
  const { t } = useTranslation('members')
  const noServer = sent.some(({ mail }) => mail === 'outbox')
  const days = { days: INVITATION_DAYS }
  return (
    <Modal opened={sent.length > 0} onClose={onClose} title={t('sent.title')}>
      <ModalText>{noServer ? t('sent.noServer', days) : t('sent.hint', days)}</ModalText>
      <ul className={styles.sent}>
        {sent.map((each) => (
          <Sent key={each.link} sent={each} />
        ))}
      </ul>
      <ModalActions>
        <Button design="primary" onClick={onClose}>
          {t('sent.done')}
        </Button>
      </ModalActions>
    </Modal>
  )
}

function Sent({ sent: { invitation, link, mail } }: { sent: SentInvitation }) {
  const { t } = useTranslation('members')
  const { email } = invitation
  return (
    <li>
      <div className={styles.sentHead}>
        <span className={styles.cut}>{email}</span>
        <Badge dot tone={tones[mail]}>
          {t(`sent.${mail}`)}
        </Badge>
      </div>
      <CopyField hideLabel label={t('sent.link', { email })} value={link} />
    </li>
  )
}
