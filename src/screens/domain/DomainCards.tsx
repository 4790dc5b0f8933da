import { ExternalLink, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Domain, TlsMode } from '../../../server/contracts/domains'
import { useCan } from '../../api/account'
import { useDomainChanges } from '../../api/domains'
import { failureText } from '../../api/failure'
import { formatDate, formatMoment, formatSince } from '../../i18n/format'
import { Badge, type BadgeTone } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import { CertificateForm } from './CertificateForm'
import styles from './domain.module.css'
import { Problem } from './Problem'
import { RecordTable } from './RecordTable'
import { Step } from './Step'
import { stateOfSteps } from './stateOfSteps'

interface DomainCardsProps {
  place: { pgid: string; cgid: string }
  domain: Domain
  mode: TlsMode
}

const tones: Record<Domain['status'], BadgeTone> = {
  pending_ownership: 'warning',
  pending_dns: 'warning',
  issuing: 'warning',
  active: 'success',
  renewing: 'success',
  failed: 'danger',
}

/** A domain, where it stands, and what is left to do. */
export function DomainCards({ place, domain, mode }: DomainCardsProps) {
  const { t } = useTranslation('domain')
  const { t: common } = useTranslation()
  const mayUpdate = useCan('custom_domain.update')
  const mayDelete = useCan('custom_domain.delete')
  const { check, remove } = useDomainChanges(place)
  const [removing, setRemoving] = useState(false)
  const { ownership_verification: ownership, ssl_verification: tls, problem } = domain
  const isActive = ownership.status === 'active' && tls.status === 'active'
  const states = stateOfSteps(domain)
  const checking = domain.checking || check.isPending
  const recheck = () =>
    check.mutate(undefined, { onError: (error) => notify.error(failureText(error, common('errors.message'))) })
  const said = (step: 1 | 2 | 3) => problem && states.at === step && <Problem problem={problem} domain={domain} />
  return (
    <>
      <Card
        title={domain.hostname}
        description={
          <span className={styles.facts}>
            <Badge dot tone={isActive ? 'success' : tones[domain.status]}>
              {t(`status.${domain.status}`)}
            </Badge>
            <span aria-live="polite">
              {checking
                ? t('checking')
                : domain.checked_at && (
                    <span title={formatMoment(domain.checked_at)}>
                      {t('checked', { when: formatSince(domain.checked_at) })}
                    </span>
                  )}
            </span>
            {domain.expires_at && <span>{t('expires', { day: formatDate(domain.expires_at) })}</span>}
          </span>
        }
        actions={
          <div className={styles.actions}>
            {isActive && (
              <a className={styles.visit} href={`https://${domain.hostname}`} target="_blank" rel="noreferrer">
                {t('visit')} <ExternalLink size={13} />
              </a>
            )}
            {mayUpdate && (
              <Button icon={<RefreshCw />} loading={checking} onClick={recheck}>
                {t('check')}
              </Button>
            )}
            {mayDelete && <IconButton label={t('remove.action')} icon={<Trash2 />} onClick={() => setRemoving(true)} />}
          </div>
        }
      />
      <Card flush>
        <ol className={styles.steps} aria-label={t('steps')}>
          <Step
            number={1}
            state={states.ownership}
            title={t('ownership.title')}
            description={t('ownership.description')}
          >
            <RecordTable record={ownership} label={t('ownership.record')} />
            {said(1)}
          </Step>
          <Step
            number={2}
            state={states.dns}
            title={t('dns.title')}
            description={t(tls.type === 'ALIAS' ? 'dns.alias' : 'dns.description')}
          >
            <RecordTable record={tls} label={t('dns.record')} />
            {said(2)}
          </Step>
          <Step number={3} state={states.tls} title={t('tls.title')} description={t(`tls.${mode}`)}>
            {said(3)}
            {mode === 'manual' && mayUpdate && <CertificateForm place={place} replaces={domain.certified} />}
          </Step>
        </ol>
      </Card>
      {removing && (
        <ConfirmDialog
          opened
          danger
          title={t('remove.title', { hostname: domain.hostname })}
          message={t('remove.message')}
          confirm={t('remove.action')}
          loading={remove.isPending}
          error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
          onConfirm={() =>
            remove.mutate(undefined, {
              onSuccess: () => notify.success(t('remove.done', { hostname: domain.hostname })),
            })
          }
          onClose={() => {
            setRemoving(false)
            remove.reset()
          }}
        />
      )}
    </>
  )
}
