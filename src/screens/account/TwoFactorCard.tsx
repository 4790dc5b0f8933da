import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure'
import { twoFactorQuery, useTwoFactorChanges } from '../../api/twoFactor'
import { formatDate } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import styles from './account.module.css'
import { ProveTwoFactor } from './ProveTwoFactor'
import { RecoveryCodes } from './RecoveryCodes'
import { TurnOnTwoFactor } from './TurnOnTwoFactor'

type Asking = 'on' | 'off' | 'renew'

/** A code besides the password: turned on and off, and its recovery codes. */
export function TwoFactorCard() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(twoFactorQuery)
  const [asking, setAsking] = useState<Asking | null>(null)
  const close = () => setAsking(null)
  const isOn = data?.on_since != null
  return (
    <Card
      title={t('twoFactor.title')}
      description={t('twoFactor.description')}
      actions={
        data &&
        (isOn ? (
          <Button size="s" onClick={() => setAsking('off')}>
            {t('twoFactor.turnOff')}
          </Button>
        ) : (
          <Button size="s" design="primary" onClick={() => setAsking('on')}>
            {t('twoFactor.setUp')}
          </Button>
        ))
      }
    >
      {data ? (
        isOn && (
          <div className={styles.state}>
            <Badge tone="success">{t('twoFactor.on', { date: formatDate(data.on_since ?? '') })}</Badge>
            <span className={styles.seen}>{t('twoFactor.left', { count: data.recovery_codes_left })}</span>
            <Button size="s" onClick={() => setAsking('renew')}>
              {t('twoFactor.renew')}
            </Button>
          </div>
        )
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={1} />
      )}
      {/* closing by a click beside it would lose codes that are shown once */}
      <Modal
        opened={asking !== null}
        onClose={close}
        closeOnClickOutside={false}
        title={t(asking === 'renew' ? 'twoFactor.renew' : 'twoFactor.title')}
      >
        {asking === 'on' && <TurnOnTwoFactor onClose={close} />}
        {asking === 'off' && <TurnOff onClose={close} />}
        {asking === 'renew' && <Renew onClose={close} />}
      </Modal>
    </Card>
  )
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account')
  const { turnOff } = useTwoFactorChanges()
  const done = () => {
    notify.success(t('twoFactor.off'))
    onClose()
  }
  return (
    <ProveTwoFactor
      danger
      message={t('twoFactor.turnOffHint')}
      submit={t('twoFactor.turnOff')}
      change={{ ...turnOff, mutate: (proof) => turnOff.mutate(proof, { onSuccess: done }) }}
      onClose={onClose}
    />
  )
}

function Renew({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account')
  const { renew } = useTwoFactorChanges()
  return renew.data ? (
    <RecoveryCodes codes={renew.data.recovery_codes} onClose={onClose} />
  ) : (
    <ProveTwoFactor
      message={t('twoFactor.renewHint')}
      submit={t('twoFactor.renew')}
      change={{ ...renew, mutate: (proof) => renew.mutate(proof) }}
      onClose={onClose}
    />
  )
}
