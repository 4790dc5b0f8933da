import { Globe } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainView } from '../../../server/contracts/domains'
import { useAccount, useCan } from '../../api/account'
import { useDomainChanges } from '../../api/domains'
import { fieldOr } from '../../api/failure'
import { UpgradeBanner } from '../../projects/UpgradeBanner'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { TextField } from '../../ui/TextField'
import styles from './domain.module.css'

interface AddDomainProps {
  place: { pgid: string; cgid: string }
  view: DomainView
}

/** The chatbot has no domain: asks for one, or says why it can have none. */
export function AddDomain({ place, view }: AddDomainProps) {
  const { t } = useTranslation('domain')
  const { t: common } = useTranslation()
  const mayUpdate = useCan('custom_domain.update')
  const [hostname, setHostname] = useState('')
  const { billing } = useAccount()
  const { add } = useDomainChanges(place)
  if (!view.in_plan || view.limit_reached)
    return (
      <>
        <UpgradeBanner addon>
          <p>{t(view.in_plan ? 'limitReached' : 'notInPlan')}</p>
          {!billing && <p className={styles.how}>{t('upgrade')}</p>}
        </UpgradeBanner>
        <EmptyState icon={<Globe />} title={t('emptyTitle')} message={t('emptyMessage')} />
      </>
    )
  if (!mayUpdate) return <EmptyState icon={<Globe />} title={t('emptyTitle')} message={t('emptyMessage')} />
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.mutate(hostname)
  }
  return (
    <form onSubmit={submit}>
      <Card
        title={t('add.title')}
        description={t('add.description')}
        footer={
          <Button type="submit" design="primary" disabled={hostname.trim() === ''} loading={add.isPending}>
            {t('add.submit')}
          </Button>
        }
      >
        <TextField
          label={t('add.label')}
          description={t('add.hint')}
          placeholder={t('add.placeholder')}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          value={hostname}
          error={add.error ? fieldOr(add.error, 'hostname', common('errors.message')) : undefined}
          onChange={(event) => {
            setHostname(event.currentTarget.value)
            if (add.error) add.reset()
          }}
        />
      </Card>
    </form>
  )
}
