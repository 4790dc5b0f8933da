import { RefreshCw, Trash2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SignOnDomain } from '../../../../server/contracts/signOn'
import { failureText, fieldOr } from '../../../api/failure'
import { useSignOnChanges } from '../../../api/signOn'
import { formatDate, formatSince } from '../../../i18n/format'
import { Badge } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { CopyField } from '../../../ui/CopyField'
import { IconButton } from '../../../ui/IconButton'
import { TextField } from '../../../ui/TextField'
import styles from './singleSignOn.module.css'

interface EmailDomainsProps {
  pgid: string
  domains: readonly SignOnDomain[]
  mayChange: boolean
}

/** The domains of email addresses whose people the provider lets in, and the proof that they are the project's. */
export function EmailDomains({ pgid, domains, mayChange }: EmailDomainsProps) {
  const { t } = useTranslation('signOn')
  const { t: common } = useTranslation()
  const [domain, setDomain] = useState('')
  const { addDomain } = useSignOnChanges(pgid)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (domain.trim() !== '') addDomain.mutate(domain, { onSuccess: () => setDomain('') })
  }
  return (
    <section className={styles.form} aria-label={t('domains.title')}>
      <div>
        <h3 className={styles.legend}>{t('domains.title')}</h3>
        <p className={styles.muted}>{t('domains.description')}</p>
      </div>
      {domains.length > 0 && (
        <ul className={styles.domains}>
          {domains.map((each) => (
            <Domain key={each.gid} pgid={pgid} domain={each} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {mayChange && (
        <form className={styles.add} onSubmit={submit}>
          <TextField
            aria-label={t('domains.label')}
            placeholder={t('domains.example')}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            value={domain}
            error={addDomain.error ? fieldOr(addDomain.error, 'domain', common('errors.message')) : undefined}
            onChange={(event) => {
              setDomain(event.currentTarget.value)
              if (addDomain.error) addDomain.reset()
            }}
          />
          <Button type="submit" disabled={domain.trim() === ''} loading={addDomain.isPending}>
            {t('domains.add')}
          </Button>
        </form>
      )}
    </section>
  )
}

function Domain({ pgid, domain, mayChange }: { pgid: string; domain: SignOnDomain; mayChange: boolean }) {
  const { t } = useTranslation('signOn')
  const { t: common } = useTranslation()
  const { checkDomain, removeDomain } = useSignOnChanges(pgid)
  const [removing, setRemoving] = useState(false)
  const { gid, domain: name, proven, missing_since, checked_at } = domain
  const tone = missing_since ? 'danger' : proven ? 'success' : 'warning'
  return (
    <li className={styles.domain}>
      <div className={styles.domainHead}>
        <strong>{name}</strong>
        <Badge dot tone={tone}>
          {t(missing_since ? 'domains.missing' : proven ? 'domains.proven' : 'domains.unproven')}
        </Badge>
        {checked_at && <span className={styles.muted}>{t('domains.checked', { when: formatSince(checked_at) })}</span>}
        {mayChange && (
          <span className={styles.domainActions}>
            <Button
              size="s"
              icon={<RefreshCw />}
              loading={checkDomain.isPending}
              onClick={() => checkDomain.mutate(gid)}
            >
              {t('domains.check')}
            </Button>
            <IconButton
              label={t('domains.remove', { domain: name })}
              icon={<Trash2 />}
              onClick={() => setRemoving(true)}
            />
          </span>
        )}
      </div>
      {missing_since && (
        <p className={styles.problem}>{t('domains.missingHint', { day: formatDate(missing_since) })}</p>
      )}
      {(!proven || missing_since) && (
        <>
          <p className={styles.muted}>{t('domains.recordHint')}</p>
          <CopyField label={t('domains.recordName')} value={domain.record.name} />
          <CopyField label={t('domains.recordValue')} value={domain.record.value} />
        </>
      )}
      {checkDomain.error && (
        <p role="alert" className={styles.problem}>
          {fieldOr(checkDomain.error, 'domain', common('errors.message'))}
        </p>
      )}
      <ConfirmDialog
        opened={removing}
        danger
        title={t('domains.removeTitle', { domain: name })}
        message={t('domains.removeMessage')}
        confirm={t('domains.removeConfirm')}
        loading={removeDomain.isPending}
        error={removeDomain.error ? failureText(removeDomain.error, common('errors.message')) : undefined}
        onConfirm={() => removeDomain.mutate(gid, { onSuccess: () => setRemoving(false) })}
        onClose={() => {
          removeDomain.reset()
          setRemoving(false)
        }}
      />
    </li>
  )
}
